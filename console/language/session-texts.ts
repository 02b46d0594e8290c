/** English texts of a user's sessions, loaded with the screen that shows them. */
export const sessionTexts = {
  ownSession: {
    lead: "Where you are signed in with your password.",
    device: "Device",
    address: "Address",
    signedIn: "Signed in",
    ends: "Ends at the latest",
    this: "this session",
    unknownDevice: "unknown device",
    isThis: "You are using this session. Sign out to end it.",
    end: "End",
    endQuestion: "End this session?",
    endHint: "{{device}} is signed out.",
    ended: "The session has ended",
    endOthers: "End all others",
    endOthersQuestion: "End all other sessions?",
    endOthersHint:
      "You stay signed in here, and have to sign in again everywhere else. Access tokens are not affected.",
    othersEnded: "All other sessions have ended",
  },
};

export type SessionTexts = typeof sessionTexts;
