import { z } from "zod";
import { longestName, longestPassword } from "./limits.ts";

/** `POST /login` and `POST /api/login`: exactly these two keys. */
export const credentials = z.strictObject({
  login: z.string().max(longestName),
  password: z.string().max(longestPassword),
});
export type Credentials = z.infer<typeof credentials>;

export const session = z.object({ token: z.string() });
export type Session = z.infer<typeof session>;

/** `data` of a refused sign-in that continues with another step, using this token, which is valid for some minutes. */
export const signInContinuation = z.object({ continuation: z.string() });
