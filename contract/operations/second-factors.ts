import { edit, post, read } from "../operation.ts";
import {
  addedSecondFactor,
  enrollment,
  enrollmentConfirmation,
  newRecoveryCodes,
  ownSecondFactors,
  passwordAgain,
  secondFactorItem,
  startedEnrollment,
} from "../second-factors.ts";

export const readSecondFactors = read("/second-factors", {
  permission: "readSecondFactors",
  summary: "Second factors of the caller, and those that can be added",
  data: ownSecondFactors,
});
export const startEnrollment = post("/second-factors/enrollment", {
  permission: "changeSecondFactors",
  summary: "Start adding a second factor",
  answer: { data: startedEnrollment },
  body: { json: enrollment },
  codes: ["unsupported.media.type", "error.validation", "too.many.requests"],
});
export const confirmEnrollment = post("/second-factors", {
  permission: "changeSecondFactors",
  summary: "Add a second factor by its first use; for the first one, only this response contains the recovery codes",
  answer: { data: addedSecondFactor },
  created: true,
  body: { json: enrollmentConfirmation },
  codes: ["unsupported.media.type", "error.validation"],
});
export const editSecondFactor = edit("/second-factors/:id", {
  permission: "editSecondFactor",
  summary: "Rename a second factor",
  data: secondFactorItem,
  codes: ["second.factor.notfound"],
});
export const removeSecondFactor = post("/second-factors/:id/removal", {
  permission: "editSecondFactor",
  summary: "Remove a second factor",
  answer: "nothing",
  body: { json: passwordAgain },
  codes: ["second.factor.notfound", "unsupported.media.type", "error.validation", "too.many.requests"],
});
export const replaceRecoveryCodes = post("/second-factors/recovery-codes", {
  permission: "changeSecondFactors",
  summary: "Replace the recovery codes; only this response contains the new ones",
  answer: { data: newRecoveryCodes },
  body: { json: passwordAgain },
  codes: ["unsupported.media.type", "error.validation", "too.many.requests"],
});
export const resetSecondFactors = post("/users/:id/reset-second-factors", {
  permission: "resetSecondFactors",
  summary: "Remove all second factors of a user who has lost them",
  answer: "nothing",
  codes: ["user.notfound", "unsupported.media.type"],
});

export const secondFactorOperations = [
  readSecondFactors,
  startEnrollment,
  confirmEnrollment,
  editSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
  resetSecondFactors,
] as const;
