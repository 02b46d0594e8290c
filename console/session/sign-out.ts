import { endSession } from "../api/client.ts";
import { sendDelayed } from "../calls/delayed-action.ts";
import { queryClient } from "../calls/query-client.ts";
import { ownUserQuery } from "./session.ts";
import { abandonSession } from "./session-pause.ts";
import { isOver } from "./session-token.ts";
import { forgetSession, isByProvider, storedToken } from "./stored-session.ts";

/** Ends the session in this browser; delayed calls are sent while they still can be. */
export function signOut(): void {
  const token = storedToken();
  const user = queryClient.getQueryData(ownUserQuery.queryKey);
  const sent = sendDelayed(true);
  // The server cannot end a provider's sessions, and other servers with this API have no sessions.
  if (token !== null && !isByProvider() && user?.hasPassword !== undefined && !isOver(token))
    void sent.then(() => endSession(token));
  forgetSession();
  abandonSession();
}
