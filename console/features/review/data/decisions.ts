import type { ReleaseReview } from "./queries.ts";

type Decision = ReleaseReview["decisions"][number];

/** Decisions as people took them: the server keeps one for each file of the release. */
export function oncePerRelease(decisions: readonly Decision[]): Decision[] {
  const taken = new Map(decisions.map((one) => [whatAndWhen(one), one]));
  return [...taken.values()];
}

const whatAndWhen = ({ decision, user, time, reason, passedOver }: Decision): string =>
  JSON.stringify([decision, user.id, time, reason, passedOver]);
