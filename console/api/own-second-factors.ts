import { ownSecondFactors } from "@packhouse/contract/second-factors";
import { queryOptions } from "@tanstack/react-query";
import { api } from "./client.ts";

/** The second factors of the user who is signed in. A server that knows none answers 404, and the screens leave them out. */
export const ownSecondFactorsQuery = queryOptions({
  queryKey: ["second-factors"],
  queryFn: ({ signal }) => api.get("/second-factors", ownSecondFactors, signal),
  meta: { shownInPlace: true },
});
