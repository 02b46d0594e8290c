import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiFailure } from "./failure.ts";
import { reportFailure } from "./report-failure.tsx";

/** A network that comes back is worth two more tries; a refusal stays one. */
const retry = (failures: number, error: unknown): boolean =>
  error instanceof ApiFailure && error.status === undefined && failures < 2;

export const queryClient = new QueryClient({
  defaultOptions: {
    // Whether there is a network is seen by asking: a server may be on this machine, and a call that waits says nothing.
    queries: { retry, refetchOnWindowFocus: false, staleTime: 0, networkMode: "always" },
    mutations: { networkMode: "always" },
  },
  // Errors are told where they arise; screens that show them in place say so in their query's `meta`.
  queryCache: new QueryCache({
    onError: (error, query) => (query.meta?.shownInPlace ? undefined : reportFailure(error)),
  }),
  mutationCache: new MutationCache({ onError: reportFailure }),
});
