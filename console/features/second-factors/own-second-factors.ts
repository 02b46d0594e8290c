import { readSecondFactors } from "@packhouse/contract/operations/second-factors";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../api/client.ts";

/** The second factors of the signed-in user. */
export const ownSecondFactorsQuery = queryOptions({
  queryKey: ["second-factors"],
  queryFn: ({ signal }) => call(readSecondFactors, {}, { signal }),
  meta: { shownInPlace: true },
});
