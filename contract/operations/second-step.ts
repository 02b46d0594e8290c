import { session } from "../login.ts";
import type { MessageCode } from "../messages.ts";
import {
  enrolledSession,
  enrollmentAtSignIn,
  enrollmentConfirmation,
  secondStep,
  startedEnrollment,
} from "../second-factors.ts";
import type { SignInOperation } from "./sign-in.ts";

const secondStepRefusals = [
  "error.user.not.authenticated",
  "second.factor.refused",
  "second.factor.expired",
] as const satisfies readonly MessageCode[];

export const passSecondFactor = {
  path: "/login/second-factor",
  operationId: "loginSecondFactor",
  summary: "Finish a sign-in with a code, a passkey or a recovery code",
  json: secondStep,
  data: session,
  bare: true,
  limited: true,
  refusals: [...secondStepRefusals, "password.change.required"],
} as const satisfies SignInOperation;

export const startEnrollmentAtSignIn = {
  path: "/login/second-factor/enrollment",
  operationId: "loginEnrollment",
  summary: "Start adding the second factor that the role requires, during a sign-in",
  json: enrollmentAtSignIn,
  data: startedEnrollment,
  bare: true,
  limited: true,
  refusals: secondStepRefusals,
  validated: true,
} as const satisfies SignInOperation;

export const confirmEnrollmentAtSignIn = {
  path: "/login/second-factor/enrollment/confirmation",
  operationId: "loginEnrollmentConfirmation",
  summary:
    "Add the second factor by its first use, and finish the sign-in; only this response contains the recovery codes",
  json: enrollmentConfirmation,
  data: enrolledSession,
  bare: true,
  limited: true,
  refusals: secondStepRefusals,
  validated: true,
} as const satisfies SignInOperation;
