import { patchedReference } from "@packhouse/contract/references";
import { submission as submissionShape } from "@packhouse/contract/submissions";
import type { Technology } from "@packhouse/contract/technology";
import type { Viewer } from "../../http/application.ts";
import { type PatchOperation, patched } from "../../http/patch/json-patch.ts";
import { mayReadRepository } from "../../identity/read-rights.ts";
import { malformedPatch, Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { decideSubmission } from "./decide-submission.ts";
import { submissionPresenter } from "./present-submission.ts";
import { type Submission, submissions } from "./store.ts";
import { checkAuthority, checkWaiting, reviewText } from "./submission.ts";

/** Who may not decide is refused before what else the patch would change. */
const shape = submissionShape.extend({ submitter: patchedReference, approver: patchedReference });

/** Patches a submission: its state, with a reason, and nothing else. States may have any letter case. */
export async function patchSubmission(
  deps: Deps,
  viewer: Viewer,
  { technology, id }: { technology: Technology; id: number },
  operations: readonly PatchOperation[],
): Promise<Submission> {
  const before = await submissions(deps.db).byId(id);
  if (before?.technology !== technology || !mayReadRepository(viewer.actor, before.repository))
    throw new Refusal("submission.notfound");
  const { links: _links, ...item } = submissionPresenter(deps.settings).own(before, viewer);
  const after = await patched(deps.workers, shape, item, operations.map(withUpperCaseState));

  checkAuthority(after.state, viewer.actor, before);
  checkWaiting(before);
  const { state, reason } = after;
  const changeable = state === "WAITING" ? ["/state"] : ["/state", "/reason"];
  if (!operations.every(({ path }) => changeable.includes(path)) || after.submitter?.id !== before.submitter.id)
    throw malformedPatch("could.not.change.submission");
  if (state === "WAITING") return before;
  return decideSubmission(
    deps,
    viewer.actor,
    { id, repositoryId: before.repository_id, normalizedName: before.normalized_name },
    { decision: state, reason: reviewText(reason ?? "") },
  );
}

const withUpperCaseState = (operation: PatchOperation): PatchOperation =>
  "value" in operation && operation.path === "/state" && typeof operation.value === "string"
    ? { ...operation, value: operation.value.toUpperCase() }
    : operation;
