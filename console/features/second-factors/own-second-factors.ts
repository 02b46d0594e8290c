import { ownSecondFactors } from "@packhouse/contract/second-factors";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";

/** The second factors of the user who is signed in. */
export const ownSecondFactorsQuery = queryOptions({
  queryKey: ["second-factors"],
  queryFn: ({ signal }) => api.get("/second-factors", ownSecondFactors, signal),
  meta: { shownInPlace: true },
});
