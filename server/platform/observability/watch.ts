import type { LimitCode } from "@packhouse/contract/exceeded-limits";
import type { Technology } from "@packhouse/contract/technology";
import type { UnavailableReason } from "../errors/refusal.ts";

/** What is counted while the product runs. Callers do not know where the counts go. */
export interface Watch {
  /** A request is over, answered or not. The route is its pattern, never its address. */
  requestEnded(request: { method: string; route: string; status: number; seconds: number }): void;
  uploadEnded(upload: { technology: Technology; outcome: UploadEnd; bytes: number }): void;
  jobsEnded(jobs: { name: string; outcome: "done" | "failed"; count: number; seconds: number }): void;
  rendered(render: { technology: Technology; seconds: number; parts: number }): void;
  downloaded(file: { repository: string; package: string }): void;
  /** A worker has ended a task; `time` and `memory` are the limits that it exceeded. */
  taskEnded(task: { task: string; outcome: TaskEnd; seconds: number }): void;
  /** The main thread was blocked for more than a second; `name` is the responsible route or job, as far as is known. */
  mainThreadStalled(stall: { name: string; seconds: number }): void;
  signInFailed(by: "password" | "second-factor" | "token"): void;
  storageFailed(operation: string): void;
  /** A request went beyond a limit and was refused. */
  limitExceeded(code: LimitCode): void;
  /** A request was refused by 503. */
  wasUnavailable(reason: UnavailableReason): void;
}

/**
 * `present`: nothing was stored, since it already exists; `refused`: it breaks a rule, or its sender lacks the
 * permission.
 */
export type UploadEnd = "stored" | "present" | "refused" | "failed";

export type TaskEnd = "done" | "refused" | "failed" | "abandoned" | "time" | "memory";

/** For commands, which are not observed. */
export const unwatched: Watch = {
  requestEnded() {},
  uploadEnded() {},
  jobsEnded() {},
  rendered() {},
  downloaded() {},
  taskEnded() {},
  mainThreadStalled() {},
  signInFailed() {},
  storageFailed() {},
  limitExceeded() {},
  wasUnavailable() {},
};
