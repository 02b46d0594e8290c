import { sendHeldBack } from "../ui/held-back.ts";
import { forgetRole } from "./session.ts";
import { abandonSession } from "./session-pause.ts";
import { dropToken, forgetSeenEvents } from "./stored-session.ts";

/** Ends the session in this browser; what was held back is sent while it still may be. */
export function signOut(): void {
  sendHeldBack(true);
  dropToken();
  forgetSeenEvents();
  forgetRole();
  abandonSession();
}
