import type { Credentials } from "../api/credentials.ts";
import { reportRefusal } from "../calls/report-failure.tsx";
import { pauseSession, sessionToGoOn } from "./session-pause.ts";
import { isOver } from "./session-token.ts";
import { storedToken } from "./stored-session.ts";

/** Calls carry the token of the session and wait while it is paused. */
export const sessionCredentials: Credentials = {
  token: storedToken,
  paused: sessionToGoOn,
  expired: (token) => isOver(token) && pauseSession(),
  refused: reportRefusal,
};
