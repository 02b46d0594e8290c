/** English texts of the choice of mail, loaded with its screen. */
export const mailTexts = {
  mail: {
    lead: "Mail goes to {{address}}.",
    noAddress: "Your account has no mail address, so no mail is sent to you.",
    none: "This server sends no mail.",
    kind: {
      reviews: "Submissions that wait for me",
      otherReviews: "Other submissions that I may decide",
      decisions: "Decisions about my submissions",
      comments: "Comments",
      tokens: "Access tokens that end soon",
      mirrors: "Mirrors that fail",
    },
    hint: {
      reviews: "of packages that I am responsible for",
      otherReviews: "if someone else is responsible for the package",
      decisions: "when someone else accepts or rejects them",
      comments: "on my submissions, and on those that I have commented on or decided",
      tokens: "at most a week before they end",
      mirrors: "of repositories that I maintain; for administrators, of all",
    },
    time: { atOnce: "at once", daily: "once a day", never: "never" },
  },
};

export type MailTexts = typeof mailTexts;
