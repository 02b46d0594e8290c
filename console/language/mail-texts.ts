/** English texts of the mail settings, loaded with their screen. */
export const mailTexts = {
  mail: {
    lead: "Mail is sent to {{address}}.",
    noAddress: "Your account has no mail address, so no mail is sent to you.",
    none: "This server sends no mail.",
    kind: {
      reviews: "Submissions waiting for me",
      otherReviews: "Other submissions that I may decide on",
      decisions: "Decisions about my submissions",
      comments: "Comments",
      tokens: "Access tokens that expire soon",
      mirrors: "Failing mirrors",
    },
    hint: {
      reviews: "for packages that I am responsible for",
      otherReviews: "if someone else is responsible for the package",
      decisions: "when someone else accepts, rejects or cancels them, or asks for changes",
      comments: "on my submissions, and on those that I have commented on, decided on or am assigned to",
      tokens: "up to a week before they expire",
      mirrors: "of repositories that I maintain; for administrators, of all repositories",
    },
    time: { atOnce: "immediately", daily: "once a day", never: "never" },
  },
};

export type MailTexts = typeof mailTexts;
