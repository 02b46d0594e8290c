import type { Technology } from "@packhouse/contract/technology";
import type { Actor } from "../../http/actor.ts";
import { actorNow } from "../../identity/sign-in/authenticate.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { UploadEnd } from "../../platform/observability/watch.ts";
import type { Deps } from "../deps.ts";
import { readableRepository } from "../repositories/visible-repository.ts";
import { checkRoom, kept, storeUpload } from "./store-upload.ts";
import { assessUpload, knownOf } from "./upload/assess-upload.ts";
import { checkUpload } from "./upload/check-upload.ts";
import type { NewUpload, ReceivedUpload, UploadOutcome } from "./upload/upload.ts";
import { type UploadManual, uploadManual } from "./upload/upload-manual.ts";

/**
 * Checks an uploaded file and creates a submission: accepted immediately if its uploader may do that, else waiting.
 * A failed upload leaves neither bytes nor rows.
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
    ended(error instanceof Refusal && error.status < 500 ? "refused" : "failed");
    throw error;
  }
}

async function inStages(begun: ReceivedUpload): Promise<UploadOutcome> {
  const { deps, technology, upload } = begun;
  let manual: UploadManual | undefined;
  try {
    // Before any work; the transaction checks again.
    const actor = await actorNow(deps, begun.actor);
    const repository = await readableRepository(deps, actor, technology, upload.parameters.repository);
    const received = { ...begun, actor };
    const read = await checkUpload(received);
    // The digests of a large file are computed while it is checked.
    const staged = await upload.received.staged();
    const context = { ...received, repository, read, upload: { ...upload, staged } };
    const assessment = await assessUpload(context, await knownOf(context, deps.db));
    if (assessment.decision.action === "keep") return kept(assessment.decision);
    // When too many uploads wait, this one is refused before any more work; the transaction checks again.
    await checkRoom(context, assessment, deps.db);
    manual = await uploadManual(context, read.file, assessment.accepted);
    upload.gone?.throwIfAborted();
    const outcome = await storeUpload({ ...context, manual });
    return outcome.stored && manual.remark ? { remark: manual.remark, ...outcome } : outcome;
  } finally {
    await upload.received.discard();
    await manual?.staged?.discard();
  }
}
