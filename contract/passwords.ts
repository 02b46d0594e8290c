import { z } from "zod";
import { longestGiven } from "./limits.ts";

/** Longer than any password that is accepted, so that the rules for passwords can name what is wrong with it. */
const anyPassword = z.string().max(longestGiven);
const keepAccessTokens = z.boolean().optional();

/** `POST /users/me/password` */
export const ownPasswordChange = z.strictObject({
  currentPassword: anyPassword,
  newPassword: anyPassword,
  /** Access tokens end with the old password unless this is true. */
  keepAccessTokens,
});

/** `POST /login/password`: a password by the continuation of a sign-in, or by the secret of a one-time link. */
export const passwordByToken = z.strictObject({
  token: z.string().max(5000),
  password: anyPassword,
  keepAccessTokens,
});

/** `POST /users/{id}/temporary-password` */
export const temporaryPasswordRequest = z.strictObject({ keepAccessTokens });
/** The password is in this answer only. */
export const temporaryPassword = z.object({ password: z.string() });

/** `POST /users/{id}/password-link` */
export const passwordLinkRequest = z.strictObject({});
/** The address with its secret is in this answer only. */
export const passwordLink = z.object({ link: z.string(), expirationDate: z.string() });
