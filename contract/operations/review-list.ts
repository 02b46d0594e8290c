import { list } from "../operation.ts";
import { reviewList } from "../review/release.ts";

// Apart from the others, because the console counts what waits before anyone opens the review desk.
export const listReviews = list(reviewList, {
  permission: "listReviews",
  summary: "Waiting releases that the caller may decide on",
});
