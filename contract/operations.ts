import { type NameOf, nameOf, type Operation } from "./operation.ts";
import { accessTokenOperations } from "./operations/access-tokens.ts";
import { configurationOperations } from "./operations/configuration.ts";
import { eventOperations } from "./operations/events.ts";
import { inspectionOperations } from "./operations/inspections.ts";
import { maintainerOperations } from "./operations/maintainers.ts";
import { packageContentOperations } from "./operations/package-contents.ts";
import { packageOperations } from "./operations/packages.ts";
import { choosePassword, passwordOperations } from "./operations/passwords.ts";
import { repositoryOperations } from "./operations/repositories.ts";
import { reviewOperations } from "./operations/review.ts";
import { secondFactorOperations } from "./operations/second-factors.ts";
import { confirmEnrollmentAtSignIn, passSecondFactor, startEnrollmentAtSignIn } from "./operations/second-step.ts";
import { sessionOperations } from "./operations/sessions.ts";
import { type SignInOperation, signIn, signOut } from "./operations/sign-in.ts";
import { submissionOperations } from "./operations/submissions.ts";
import { userSettingsOperations } from "./operations/user-settings.ts";
import { userOperations } from "./operations/users.ts";

/** Every call below `apiPrefix`, in the order of the API description. */
const table = [
  ...configurationOperations,
  ...userOperations,
  ...passwordOperations,
  ...userSettingsOperations,
  ...sessionOperations,
  ...accessTokenOperations,
  ...secondFactorOperations,
  ...repositoryOperations,
  ...packageOperations,
  ...packageContentOperations,
  ...submissionOperations,
  ...inspectionOperations,
  ...reviewOperations,
  ...maintainerOperations,
  ...eventOperations,
] satisfies Operation[];

/** Such as `GET /packages/:id`. */
export type OperationName = NameOf<(typeof table)[number]>;

/** Every call by its name. */
export const operations = Object.fromEntries(table.map((one) => [nameOf(one), one])) as Record<
  OperationName,
  Operation
>; // each by its own name

/** The calls of a sign-in and the sign-out, which are not below `apiPrefix`. */
export const signInOperations: readonly SignInOperation[] = [
  signIn,
  passSecondFactor,
  startEnrollmentAtSignIn,
  confirmEnrollmentAtSignIn,
  choosePassword,
  signOut,
];
