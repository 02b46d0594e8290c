import type { z } from "zod";
import { credentials, session } from "../login.ts";
import type { MessageCode } from "../messages.ts";

/** A call of the sign-in or sign-out. It needs no permission, because no one is signed in yet. */
export interface SignInOperation {
  /** From the root of the server; the same call is also available below `/api`. */
  path: `/log${string}`;
  operationId: string;
  summary: string;
  /** Absent for the sign-out, whose response is empty. */
  json?: z.ZodType;
  data?: z.ZodType;
  /** `message` and `messageCode` of a success are null. */
  bare?: true;
  /** Codes of a 401. */
  refusals: readonly MessageCode[];
  /** Whether the input may break rules. */
  validated?: true;
  /** Whether the rate limit per address applies, in addition to failed attempts. */
  limited?: true;
}

/** What a sign-in asks for when the password is right but not enough. */
export const passwordRefusals = [
  "error.user.not.authenticated",
  "password.change.required",
  "second.factor.required",
  "second.factor.enrollment.required",
] as const satisfies readonly MessageCode[];

export const signIn = {
  path: "/login",
  operationId: "login",
  summary: "Sign in with username and password",
  json: credentials,
  data: session,
  bare: true,
  limited: true,
  refusals: passwordRefusals,
} as const satisfies SignInOperation;

export const signOut = {
  path: "/logout",
  operationId: "logout",
  summary: "Sign out: end the session of this request",
  refusals: ["error.user.not.authenticated"],
} as const satisfies SignInOperation;

/** The two addresses of a sign-in call. */
export const signInAddresses = ({ path }: Pick<SignInOperation, "path">): readonly string[] => [path, `/api${path}`];
