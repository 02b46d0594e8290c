import type { Technology } from "@packhouse/contract/technology";
import type { Actor } from "../../http/actor.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import { countIfBeyondLimit } from "../../platform/limits/exceeded.ts";
import type { UploadEnd } from "../../platform/observability/watch.ts";
import type { Deps } from "../deps.ts";
import { readableRepository } from "../repositories/visible-repository.ts";
import { checkRoom, kept, storeUpload } from "./store-upload.ts";
import { assessUpload, knownOf } from "./upload/assess-upload.ts";
import { checkUpload } from "./upload/check-upload.ts";
import type { NewUpload, ReceivedUpload, UploadOutcome } from "./upload/upload.ts";
import { type UploadManual, uploadManual } from "./upload/upload-manual.ts";

/**
 * Checks an uploaded file and creates a submission: accepted immediately if its uploader may do that, else waiting. The
 * transaction that creates it checks again, with the rights that the uploader has then. A failed upload leaves no rows,
 * and the sweep removes bytes that it may have left.
 */
export async function uploadPackage(
  deps: Deps,
  actor: Actor,
  technology: Technology,
  upload: NewUpload,
): Promise<UploadOutcome> {
  const ended = (outcome: UploadEnd) => deps.watch.uploadEnded({ technology, outcome, bytes: upload.received.size });
  try {
    const outcome = await inStages({ deps, actor, technology, upload });
    ended(outcome.stored ? "stored" : "present");
    return outcome;
  } catch (error) {
    if (error instanceof Refusal) countIfBeyondLimit(deps.watch, error);
    ended(error instanceof Refusal && error.status < 500 ? "refused" : "failed");
    throw error;
  }
}

async function inStages(begun: ReceivedUpload): Promise<UploadOutcome> {
  const { deps, technology, upload } = begun;
  let manual: UploadManual | undefined;
  try {
    const repository = await readableRepository(deps, begun.actor, technology, upload.parameters.repository);
    const read = await checkUpload(begun);
    // The digests of a large file are computed while it is checked.
    const staged = await upload.received.staged();
    const context = { ...begun, repository, read, upload: { ...upload, staged } };
    // What would be refused is not stored.
    const known = await knownOf(context, deps.db);
    const assessment = await assessUpload(context, known);
    if (assessment.decision.action === "keep") return kept(assessment.decision);
    await checkRoom(context, assessment, known, deps.db);
    manual = await uploadManual(context, read.file, assessment.accepted);
    upload.gone?.throwIfAborted();
    const outcome = await storeUpload({ ...context, manual });
    return outcome.stored && manual.remark ? { remark: manual.remark, ...outcome } : outcome;
  } finally {
    await upload.received.discard();
    await manual?.staged?.discard();
  }
}
