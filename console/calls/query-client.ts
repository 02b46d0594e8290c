import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiFailure } from "../api/failure.ts";
import { UnreadableResponse } from "../api/unreadable-response.ts";
import { reportFailure } from "./report-failure.tsx";

/** Connection failures are retried twice; refusals are not. */
const retry = (failures: number, error: unknown): boolean =>
  error instanceof ApiFailure && error.status === undefined && failures < 2;

export const queryClient = new QueryClient({
  defaultOptions: {
    // Call whatever the browser's online status: a server may be on this machine, and a paused call shows no error.
    queries: { retry, refetchOnWindowFocus: false, staleTime: 0, networkMode: "always" },
    mutations: { networkMode: "always" },
  },
  // Errors are shown once: screens that show them in place state so in their query's `meta`. Errors of what a whole
  // page needs are shown by that page only if it cannot be read; others, for example, end the session.
  queryCache: new QueryCache({
    onError: (error, { meta }) => {
      const shown = meta?.shownInPlace || (meta?.shownWhenUnreadable && error instanceof UnreadableResponse);
      if (!shown) reportFailure(error);
    },
  }),
  mutationCache: new MutationCache({ onError: reportFailure }),
});
