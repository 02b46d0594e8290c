import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiFailure } from "../api/failure.ts";
import { UnreadableResponse } from "../api/unreadable-response.ts";
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
  // An error is shown once: screens that show it in place say so in their query's `meta`. What a whole page needs is
  // shown by that page only when it cannot be read; other failures of it end the session, for example.
  queryCache: new QueryCache({
    onError: (error, { meta }) => {
      const shown = meta?.shownInPlace || (meta?.shownWhenUnreadable && error instanceof UnreadableResponse);
      if (!shown) reportFailure(error);
    },
  }),
  mutationCache: new MutationCache({ onError: reportFailure }),
});
