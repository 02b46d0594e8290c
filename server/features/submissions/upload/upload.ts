import type { MessageCode } from "@packhouse/contract/messages";
import type { MirrorClash } from "@packhouse/contract/mirrors";
import type { UploadParameters } from "@packhouse/contract/submissions";
import type { Technology } from "@packhouse/contract/technology";
import type { Actor } from "../../../http/actor.ts";
import type { ReceivedObject, StagedObject } from "../../../platform/storage/storage.ts";
import type { Deps } from "../../deps.ts";
import type { ImportingMirror } from "../../packages/origin.ts";

export interface NewUpload {
  parameters: Pick<UploadParameters, "repository"> & Partial<UploadParameters>;
  fileName: string;
  /** As the client sends it; empty when it sends none. */
  contentType: string;
  received: ReceivedObject;
  /**
   * Set for a mirror's upload: it never replaces packages of users or of other mirrors, and is only noted for publication,
   * since the packages of a run are published together.
   */
  mirror?: ImportingMirror;
  /** Aborted when the client disconnects before the answer. */
  gone?: AbortSignal;
}

/** An upload that has arrived. */
export interface ReceivedUpload {
  deps: Deps;
  actor: Actor;
  technology: Technology;
  upload: NewUpload;
}

/** An upload on its way through the stages after the first. */
export interface UploadContext extends ReceivedUpload {
  upload: NewUpload & { staged: StagedObject };
}

export type ManualRemark = Extract<MessageCode, "generate.manual.not.supported" | "manual.generation.unavailable">;

export interface StoredUpload {
  stored: true;
  submissionId: number;
  remark?: ManualRemark | "warning.synchronization.failure";
  /** Fetched by a mirror although its name looks like another one. */
  lookalike?: MirrorClash;
}

/** The package exists already: the submission is the one of the existing package. */
export interface KeptPackage {
  stored: false;
  submissionId: number;
  code: Extract<MessageCode, `warning.${string}`>;
}

export type UploadOutcome = StoredUpload | KeptPackage;
