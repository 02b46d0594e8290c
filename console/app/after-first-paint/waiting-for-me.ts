import { mayPatch } from "@packhouse/contract/links";
import { listReviews } from "@packhouse/contract/operations/review-list";
import { reviewList } from "@packhouse/contract/review/release";
import { submissionList } from "@packhouse/contract/submissions";
import { api, type ListRequest } from "../../api/client.ts";
import { ifOffered } from "../../api/missing-routes.ts";

const mostLookedAt = 100;

/** What waits for the user, and where they decide on it: on the review desk, or in the list of submissions. */
interface Waiting {
  count: number;
  place: "review" | "submissions";
}

/**
 * Releases that wait for the user. Servers without the desk count submissions; those that lack our own fields do not
 * know the filter `assignedToMe` and return all waiting submissions: then those with a link that allows a decision are
 * counted, on the first page only.
 */
export async function waitingFor(userId: number, signal: AbortSignal): Promise<Waiting> {
  const releases = await ifOffered(listReviews, () => api.list(reviewList, { mine: "true", size: "1" }, signal));
  if (releases) return { count: releases.page.totalElements, place: "review" };
  const waiting: ListRequest<typeof submissionList> = { assignedToMe: "true", state: "WAITING" };
  const { content, page } = await api.list(submissionList, { ...waiting, size: "1" }, signal);
  if (content.every(({ replaces }) => replaces !== undefined))
    return { count: page.totalElements, place: "submissions" };
  const all = await api.list(submissionList, { ...waiting, size: String(mostLookedAt) }, signal);
  const mine = all.content.filter((item) => item.submitter.id !== userId && mayPatch(item, "state"));
  return { count: mine.length, place: "submissions" };
}
