import { mayPatch } from "@packhouse/contract/links";
import { decideOnSubmissions, submissionOf } from "@packhouse/contract/operations/submissions";
import type { Decision, SubmissionItem } from "@packhouse/contract/submissions";
import { call, replace, submissionAuthorization } from "../../api/client.ts";
import { ApiFailure } from "../../api/failure.ts";
import { ifOffered } from "../../api/missing-routes.ts";

/** The actions on a submission, as the screen names them. */
export type SubmissionAction = "accept" | "reject" | "cancel" | "download";

const decisions: Record<Exclude<SubmissionAction, "download">, Decision> = {
  accept: "ACCEPTED",
  reject: "REJECTED",
  cancel: "CANCELLED",
};

export const decide = (
  item: Pick<SubmissionItem, "id" | "technology">,
  action: Exclude<SubmissionAction, "download">,
  leaving = false,
) =>
  call(
    submissionOf[item.technology].decide,
    { id: item.id, body: [replace("/state", decisions[action])] },
    { keepalive: leaving, sign: submissionAuthorization },
  );

/** Decides on many in one call; null if the server has no such call. */
export async function decideMany(
  items: readonly Pick<SubmissionItem, "id">[],
  action: Exclude<SubmissionAction, "download">,
): Promise<PromiseSettledResult<undefined>[] | null> {
  const body = { decision: decisions[action], submissions: items.map(({ id }) => id) };
  const answered = await ifOffered(decideOnSubmissions, () =>
    call(decideOnSubmissions, { body }, { sign: submissionAuthorization }),
  );
  if (answered === null) return null;
  const byId = new Map(answered.results.map((result) => [result.id, result]));
  return items.map(({ id }) => {
    const result = byId.get(id);
    if (result?.done) return { status: "fulfilled", value: undefined };
    const code = result?.code ?? "submission.notfound";
    return { status: "rejected", reason: new ApiFailure(422, code, code, result?.reasons ?? []) };
  });
}

/** Why an action is impossible: the submission's state, or the user's permissions. Undefined: it is possible. */
export function obstacle(
  item: SubmissionItem,
  action: SubmissionAction,
  userId: number,
): "state" | "rights" | undefined {
  const own = item.submitter.id === userId;
  const granted = mayPatch(item, "state");
  if (action === "download") {
    if (item.state === "REJECTED" || item.state === "CANCELLED") return "state";
    return item.state === "ACCEPTED" || granted ? undefined : "rights";
  }
  if (item.state !== "WAITING") return "state";
  return granted && own === (action === "cancel") ? undefined : "rights";
}
