import { api } from "../api/client.ts";
import { sendDelayed } from "../calls/delayed-action.ts";
import { queryClient } from "../calls/query-client.ts";
import { forgetSeenEvents } from "./seen-events.ts";
import { forgetRole, ownUserQuery } from "./session.ts";
import { abandonSession } from "./session-pause.ts";
import { isOver } from "./session-token.ts";
import { dropToken, isByProvider, storedToken } from "./stored-session.ts";

/** Ends the session in this browser; what was delayed is sent while it still may be. */
export function signOut(): void {
  const token = storedToken();
  const user = queryClient.getQueryData(ownUserQuery.queryKey);
  const sent = sendDelayed(true);
  // Sessions of a provider are not the server's to end, and other servers with this API know none.
  if (token !== null && !isByProvider() && user?.hasPassword !== undefined && !isOver(token))
    void sent.then(() => api.logout(token));
  dropToken();
  forgetSeenEvents();
  forgetRole();
  abandonSession();
}
