import { mayPatch } from "@packhouse/contract/links";
import type { SubmissionItem, Verdict } from "@packhouse/contract/submissions";
import { technologyPath } from "@packhouse/contract/technology";
import { z } from "zod";
import { api, replace } from "../../api/client.ts";

/** What can be done to a submission, in the words of the screen. */
export type Deed = "accept" | "reject" | "cancel" | "download";

const verdicts: Record<Exclude<Deed, "download">, Verdict> = {
  accept: "ACCEPTED",
  reject: "REJECTED",
  cancel: "CANCELLED",
};

export const settle = (
  item: Pick<SubmissionItem, "id" | "technology">,
  deed: Exclude<Deed, "download">,
  leaving = false,
) =>
  api.patch(
    `/${technologyPath[item.technology]}/submissions/${item.id}`,
    z.unknown(),
    [replace("/state", verdicts[deed])],
    leaving,
  );

/** Why a deed is impossible: the submission's state, or the person's rights. Undefined: it is possible. */
export function obstacle(item: SubmissionItem, deed: Deed, userId: number): "state" | "rights" | undefined {
  const own = item.submitter.id === userId;
  const granted = mayPatch(item, "state");
  if (deed === "download") {
    if (item.state === "REJECTED" || item.state === "CANCELLED") return "state";
    return item.state === "ACCEPTED" || granted ? undefined : "rights";
  }
  if (item.state !== "WAITING") return "state";
  return granted && own === (deed === "cancel") ? undefined : "rights";
}
