import { session } from "../login.ts";
import { post } from "../operation.ts";
import {
  ownPasswordChange,
  passwordByToken,
  passwordLink,
  passwordLinkRequest,
  temporaryPassword,
  temporaryPasswordRequest,
} from "../passwords.ts";
import { passwordRefusals, type SignInOperation } from "./sign-in.ts";

const deletedRecord = "editing.deleted.resource.not.possible";

export const changeOwnPassword = post("/users/me/password", {
  permission: "changeOwnPassword",
  summary: "Change the caller's own password; all other sessions end, and the response contains the token of a new one",
  answer: { data: session },
  body: { json: ownPasswordChange },
  codes: ["unsupported.media.type", "error.validation", "too.many.requests"],
});
export const createPasswordLink = post("/users/:id/password-link", {
  permission: "resetPassword",
  summary: "Create a link that lets the user set a password once; only this response contains it",
  answer: { data: passwordLink },
  body: { json: passwordLinkRequest },
  codes: ["unsupported.media.type", "user.notfound", deletedRecord, "error.validation"],
});
export const createTemporaryPassword = post("/users/:id/temporary-password", {
  permission: "resetPassword",
  summary: "Set a temporary password that must be changed at the next sign-in; only this response contains it",
  answer: { data: temporaryPassword },
  body: { json: temporaryPasswordRequest },
  codes: ["unsupported.media.type", "user.notfound", deletedRecord, "error.validation"],
});

export const choosePassword = {
  path: "/login/password",
  operationId: "choosePassword",
  summary: "Set a password with a one-time link or during a sign-in, and sign in with it",
  json: passwordByToken,
  data: session,
  refusals: passwordRefusals,
  validated: true,
} as const satisfies SignInOperation;

export const passwordOperations = [changeOwnPassword, createPasswordLink, createTemporaryPassword] as const;
