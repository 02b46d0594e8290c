import { z } from "zod";

/** What users can get mail about. */
export const mailKinds = [
  /** A submission of a package that the user is responsible for waits, or no longer needs a decision. */
  "reviews",
  /** The same for other submissions that the user may decide. */
  "otherReviews",
  /** Someone else decided the user's submission. */
  "decisions",
  /** Someone else commented on the user's submission, or on one that the user has commented on or decided. */
  "comments",
  /** An access token of the user ends soon. */
  "tokens",
  /** A mirror of a repository that the user maintains, or of any for administrators, begins to fail. */
  "mirrors",
] as const;
export type MailKind = (typeof mailKinds)[number];

export const mailTime = z.enum(["atOnce", "daily", "never"]);
export type MailTime = z.infer<typeof mailTime>;

/** When a user gets mail about what. */
export const mailChoices = z.object({
  reviews: mailTime,
  otherReviews: mailTime,
  decisions: mailTime,
  comments: mailTime,
  tokens: mailTime,
  mirrors: mailTime,
});
export type MailChoices = z.infer<typeof mailChoices>;

/** The choices of users who have made none. */
export const usualMail: MailChoices = {
  reviews: "atOnce",
  otherReviews: "never",
  decisions: "atOnce",
  comments: "atOnce",
  tokens: "atOnce",
  mirrors: "atOnce",
};

/** Where addresses end that accounts have when nobody gave them one. */
export const noMailHost = "@localhost";

/** The link in a mail that stops its kinds. It needs no sign-in: the token in it is signed. */
export const unsubscribePath = "/mail/unsubscribe/:token";
