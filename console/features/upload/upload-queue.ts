import type { SubmissionItem } from "@packhouse/contract/submissions";
import { useSyncExternalStore } from "react";
import type { Success } from "../../api/client.ts";
import { stayWhile } from "../../api/lost-connection.ts";
import { sendFile, type UploadRequest } from "./send-file.ts";

/** Concurrent uploads; more would only slow each other down. */
const mostAtOnce = 3;

export type UploadState =
  | { kind: "queued" }
  | { kind: "sending"; part: number }
  | { kind: "done"; answer: Success<SubmissionItem> }
  | { kind: "failed"; error: unknown }
  | { kind: "stopped" };

export interface Upload {
  id: number;
  request: UploadRequest;
  state: UploadState;
}

let uploads: readonly Upload[] = [];
let nextId = 1;
const controllers = new Map<number, AbortController>();
const listeners = new Set<() => void>();

function set(id: number, state: UploadState): void {
  uploads = uploads.map((upload) => (upload.id === id ? { ...upload, state } : upload));
  for (const listener of listeners) listener();
}

/** Queues files. Uploads continue when the screen is left, because the queue does not belong to it. */
export function enqueue(requests: readonly UploadRequest[]): void {
  uploads = [...uploads, ...requests.map((request): Upload => ({ id: nextId++, request, state: { kind: "queued" } }))];
  sendNext();
}

function sendNext(): void {
  const running = uploads.filter(({ state }) => state.kind === "sending").length;
  for (const upload of uploads.filter(({ state }) => state.kind === "queued").slice(0, mostAtOnce - running))
    void send(upload);
  for (const listener of listeners) listener();
}

async function send({ id, request }: Upload): Promise<void> {
  const controller = new AbortController();
  controllers.set(id, controller);
  set(id, { kind: "sending", part: 0 });
  try {
    const answer = await sendFile(request, (part) => set(id, { kind: "sending", part }), controller.signal);
    set(id, { kind: "done", answer });
  } catch (error) {
    set(
      id,
      error instanceof DOMException && error.name === "AbortError" ? { kind: "stopped" } : { kind: "failed", error },
    );
  } finally {
    controllers.delete(id);
    sendNext();
  }
}

export function stop(id: number): void {
  const controller = controllers.get(id);
  if (controller) controller.abort();
  else set(id, { kind: "stopped" });
}

/** Sends a file again, optionally with other options. */
export function retry(id: number, change: Partial<UploadRequest> = {}): void {
  uploads = uploads.map((upload) =>
    upload.id === id ? { ...upload, request: { ...upload.request, ...change }, state: { kind: "queued" } } : upload,
  );
  sendNext();
}

export function clearUploads(): void {
  uploads = uploads.filter(isUnfinished);
  for (const listener of listeners) listener();
}

export const isUnfinished = ({ state }: Upload): boolean => state.kind === "queued" || state.kind === "sending";

stayWhile(() => uploads.some(isUnfinished));

export const useUploads = (): readonly Upload[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => uploads,
  );
