/** English texts of a user's sessions, loaded with the screen that shows them. */
export const sessionTexts = {
  ownSession: {
    lead: "Sessions that were started with your password.",
    device: "Device",
    address: "Address",
    signedIn: "Signed in",
    ends: "Expires",
    this: "this session",
    unknownDevice: "unknown device",
    isThis: "You are using this session. Sign out to end it.",
    end: "End",
    endQuestion: "End this session?",
    endHint: "This signs out {{device}}.",
    ended: "The session has ended",
    endOthers: "End all others",
    endOthersQuestion: "End all other sessions?",
    endOthersHint: "You stay signed in here, but must sign in again everywhere else. Access tokens are not affected.",
    othersEnded: "All other sessions have ended",
  },
};

export type SessionTexts = typeof sessionTexts;
