import { z } from "zod";
import { longestGiven } from "./limits.ts";

/** Longer than any accepted password, so that the password rules can report what is wrong with it. */
const anyPassword = z.string().max(longestGiven);
const keepAccessTokens = z.boolean().optional();

/** `POST /users/me/password` */
export const ownPasswordChange = z.strictObject({
  currentPassword: anyPassword,
  newPassword: anyPassword,
  /** Access tokens are revoked with the old password unless this is true. */
  keepAccessTokens,
});

/** `POST /login/password`: sets a password using a sign-in's continuation token or the secret of a one-time link. */
export const passwordByToken = z.strictObject({
  token: z.string().max(5000),
  password: anyPassword,
  keepAccessTokens,
});

/** `POST /users/{id}/temporary-password` */
export const temporaryPasswordRequest = z.strictObject({ keepAccessTokens });
/** The password is only in this response. */
export const temporaryPassword = z.object({ password: z.string() });

/** `POST /users/{id}/password-link` */
export const passwordLinkRequest = z.strictObject({});
/** The address with its secret is only in this response. */
export const passwordLink = z.object({ link: z.string(), expirationDate: z.string() });
