import { z } from "zod";
import { accessTokenCreation, accessTokenItem, accessTokenList } from "./access-tokens.ts";
import { publicConfiguration, rConfiguration } from "./configuration.ts";
import { packageDependencies } from "./dependencies.ts";
import { exportQuery, exportTypes } from "./event-export.ts";
import { eventFlags, eventItem, eventList } from "./events.ts";
import { links } from "./links.ts";
import type { AnyList, Filters } from "./list-contract.ts";
import { session } from "./login.ts";
import {
  candidateList,
  packageMaintainerCreation,
  packageMaintainerItem,
  packageMaintainerList,
  repositoryMaintainerCreation,
  repositoryMaintainerItem,
  repositoryMaintainerList,
} from "./maintainers.ts";
import type { MessageCode } from "./messages.ts";
import { mirrors } from "./mirrors.ts";
import {
  packageList,
  pythonPackageItem,
  pythonPackageList,
  rPackageItem,
  rPackageList,
  singlePackageItem,
  vignette,
} from "./packages.ts";
import {
  ownPasswordChange,
  passwordLink,
  passwordLinkRequest,
  temporaryPassword,
  temporaryPasswordRequest,
} from "./passwords.ts";
import {
  pythonRepositoryCreation,
  pythonRepositoryItem,
  pythonRepositoryList,
  repositoryItem,
  repositoryList,
  rRepositoryCreation,
  rRepositoryItem,
  rRepositoryList,
  serverAddressCheck,
  synchronizationStatus,
} from "./repositories.ts";
import { roleItem } from "./roles.ts";
import type { RouteName } from "./routes.ts";
import {
  addedSecondFactor,
  enrollment,
  enrollmentConfirmation,
  newRecoveryCodes,
  ownSecondFactors,
  passwordAgain,
  secondFactorItem,
  startedEnrollment,
} from "./second-factors.ts";
import { sessionItem, sessionList } from "./sessions.ts";
import { snapshots } from "./snapshots.ts";
import {
  pythonSubmissionList,
  rSubmissionList,
  submissionItem,
  submissionList,
  uploadParameters,
} from "./submissions.ts";
import { userSettingsItem } from "./user-settings.ts";
import { userItem, userList } from "./users.ts";

/** What a call takes and gives, for the description of the API and for the tests that hold answers against it. */
export interface Operation {
  summary: string;
  /** A page of a list, `data` of the envelope, bytes of one of these media types, or nothing at all (204). */
  answer: { list: AnyList } | { data: z.ZodType } | { file: readonly string[] } | "nothing";
  /** 201 where something is created. */
  created?: true;
  /** A JSON body, a JSON Patch (RFC 6902), or a multipart form with a file and these fields. */
  body?: { json: z.ZodType } | "json-patch" | { form: z.ZodObject };
  /** Query parameters of a call that is no list; lists bring their own. */
  query?: Filters;
  /** Refusals and warnings beyond `commonRefusals`. */
  codes?: readonly MessageCode[];
}

/** What any call may be refused with. */
export const commonRefusals = [
  "bad.request",
  "error.user.not.authenticated",
  "user.not.authorized",
  "method.not.allowed",
  "not.acceptable",
  "too.many.calls",
  "too.many.calls.from.address",
  "internal.error",
  "service.unavailable",
] as const satisfies readonly MessageCode[];

const list = (contract: AnyList, summary: string): Operation => ({
  summary,
  answer: { list: contract },
  codes: ["unrecognized.query.parameter"],
});
const read = (data: z.ZodType, summary: string, ...codes: MessageCode[]): Operation => ({
  summary,
  answer: { data },
  codes,
});
const edit = (data: z.ZodType, summary: string, ...codes: MessageCode[]): Operation => ({
  summary,
  answer: { data },
  body: "json-patch",
  codes: ["unsupported.media.type", "error.malformed.patch", "error.validation", "error.apply.patch", ...codes],
});
const create = (data: z.ZodType, json: z.ZodType, summary: string, ...codes: MessageCode[]): Operation => ({
  summary,
  answer: { data },
  created: true,
  body: { json },
  codes: ["unsupported.media.type", "error.validation", "error.create.resource", ...codes],
});
const purge = (summary: string, ...codes: MessageCode[]): Operation => ({
  summary,
  answer: "nothing",
  codes: ["error.delete.resource", ...codes],
});

const deletedRecord = "editing.deleted.resource.not.possible";
const repositoryCodes = [
  "repository.notfound",
  "repository.declarative.mode",
  "deleting.repositories.disabled",
] as const satisfies readonly MessageCode[];
const packageCodes = ["package.notfound", "deleting.packages.disabled"] as const satisfies readonly MessageCode[];

const upload = (technology: string): Operation => ({
  summary: `Upload ${technology}. A warning with status 200 means that nothing was stored, because it is there already.`,
  answer: { data: submissionItem },
  created: true,
  body: { form: uploadParameters },
  codes: [
    "warning.package.duplicate",
    "warning.replacing.packages.disabled",
    "warning.synchronization.failure",
    "generate.manual.not.supported",
    "manual.generation.unavailable",
    "repository.notfound",
    "payload.too.large",
    "unsupported.media.type",
    "error.validation",
    "too.many.uploads",
    "too.many.uploads.from.address",
    "too.many.waiting.submissions",
    "too.many.waiting.submissions.in.repository",
    "too.many.waiting.bytes",
    "error.create.resource",
    "storage.full",
  ],
});
const download = (file: readonly string[], summary: string, ...codes: MessageCode[]): Operation => ({
  summary,
  answer: { file },
  codes: ["package.notfound", ...codes],
});

/** Every call of the API. */
export const operations: Record<RouteName, Operation> = {
  "GET /config": read(publicConfiguration, "What the server's settings mean for its clients"),
  "GET /r/config": read(rConfiguration, "For which targets R binaries are taken"),
  "GET /version": read(z.string(), "Version of the product"),
  "POST /check-server-address": {
    summary: "Ask whether a repository can be published to an address",
    answer: { data: z.string() },
    body: { json: serverAddressCheck },
    codes: ["unsupported.media.type", "error.invalid.serveraddress", "error.unhealthy.serveraddress"],
  },

  "GET /users": list(userList, "People"),
  "GET /users/roles": read(z.object({ links, content: z.array(roleItem) }), "All roles"),
  "GET /users/me": read(userItem, "The person who calls"),
  "GET /users/:id": read(userItem, "One person", "user.notfound"),
  "PATCH /users/:id": edit(
    userItem,
    "Change role or activity of a person, delete or restore",
    "user.notfound",
    deletedRecord,
  ),
  "POST /users/me/password": {
    summary: "Change one's own password; all other sessions end, and this answer has the token of a new one",
    answer: { data: session },
    body: { json: ownPasswordChange },
    codes: ["unsupported.media.type", "error.validation", "too.many.requests"],
  },
  "POST /users/:id/password-link": {
    summary: "Create a link with which the user can set a password once; it is in this answer only",
    answer: { data: passwordLink },
    body: { json: passwordLinkRequest },
    codes: ["unsupported.media.type", "user.notfound", deletedRecord, "error.validation"],
  },
  "POST /users/:id/temporary-password": {
    summary: "Give a user a password that has to be changed at the next sign-in; it is in this answer only",
    answer: { data: temporaryPassword },
    body: { json: temporaryPasswordRequest },
    codes: ["unsupported.media.type", "user.notfound", deletedRecord, "error.validation"],
  },
  "GET /user-settings/:id": read(userSettingsItem, "Settings of a person, by the person's id", "user.notfound"),
  "PATCH /user-settings/:id": edit(userSettingsItem, "Change settings of a person", "user.notfound"),

  "GET /sessions": list(sessionList, "One's own sessions by password; for administrators those of others, too"),
  "GET /sessions/:id": read(sessionItem, "One session", "session.notfound"),
  "DELETE /sessions/:id": purge("End a session", "session.notfound"),
  "DELETE /users/:id/sessions": purge("End all sessions of a person except the one of this request", "user.notfound"),
  "POST /logout": { summary: "Sign out: end the session of this request", answer: "nothing" },

  "GET /access-tokens": list(accessTokenList, "Access tokens: one's own, for administrators all"),
  "POST /access-tokens": {
    summary: "Create an access token; its value is in this answer only",
    answer: { data: accessTokenItem },
    body: { json: accessTokenCreation },
    codes: ["unsupported.media.type", "error.validation", "too.many.access.tokens"],
  },
  "GET /access-tokens/:id": read(accessTokenItem, "One access token", "error.access.token.not.found"),
  "PATCH /access-tokens/:id": edit(
    accessTokenItem,
    "Rename or deactivate an access token",
    "error.access.token.not.found",
  ),
  "DELETE /access-tokens/:id": purge("Delete an access token", "error.access.token.not.found"),

  "GET /second-factors": read(ownSecondFactors, "Second factors of the caller, and what can be added"),
  "POST /second-factors/enrollment": {
    summary: "Start to add a second factor",
    answer: { data: startedEnrollment },
    body: { json: enrollment },
    codes: ["unsupported.media.type", "error.validation", "too.many.requests"],
  },
  "POST /second-factors": {
    summary: "Add a second factor by its first use; recovery codes come with the first one, in this answer only",
    answer: { data: addedSecondFactor },
    created: true,
    body: { json: enrollmentConfirmation },
    codes: ["unsupported.media.type", "error.validation"],
  },
  "PATCH /second-factors/:id": edit(secondFactorItem, "Rename a second factor", "second.factor.notfound"),
  "POST /second-factors/:id/removal": {
    summary: "Remove a second factor",
    answer: "nothing",
    body: { json: passwordAgain },
    codes: ["second.factor.notfound", "unsupported.media.type", "error.validation", "too.many.requests"],
  },
  "POST /second-factors/recovery-codes": {
    summary: "Replace the recovery codes; the new ones are in this answer only",
    answer: { data: newRecoveryCodes },
    body: { json: passwordAgain },
    codes: ["unsupported.media.type", "error.validation", "too.many.requests"],
  },
  "POST /users/:id/reset-second-factors": {
    summary: "Remove all second factors of a user who has lost them",
    answer: "nothing",
    codes: ["user.notfound", "unsupported.media.type"],
  },

  "GET /repositories": list(repositoryList, "Repositories of both technologies"),
  "GET /repositories/:id": read(repositoryItem, "One repository of either technology", "repository.notfound"),
  "GET /repositories/:id/snapshots": read(
    snapshots,
    "The latest states of a repository that can be installed from again",
    "repository.notfound",
  ),
  "GET /repositories/:id/mirrors": read(
    mirrors,
    "From where the packages of a repository are brought, and how that went",
    "repository.notfound",
  ),
  "GET /r/repositories": list(rRepositoryList, "R repositories"),
  "GET /r/repositories/:id": read(rRepositoryItem, "One R repository", "repository.notfound"),
  "GET /r/repositories/bad-endpoint": read(z.null(), "Always fails, to try error handling", "error.apply.patch"),
  "POST /r/repositories": create(
    rRepositoryItem,
    rRepositoryCreation,
    "Create an R repository",
    "repository.declarative.mode",
  ),
  "PATCH /r/repositories/:id": edit(
    rRepositoryItem,
    "Change, publish, delete or restore an R repository",
    ...repositoryCodes,
    deletedRecord,
  ),
  "DELETE /r/repositories/:id": purge("Remove an R repository with all its packages for good", ...repositoryCodes),
  "POST /r/repositories/:id/republish": read(
    rRepositoryItem,
    "Publish an R repository again",
    ...repositoryCodes,
    deletedRecord,
    "error.validation",
    "error.apply.patch",
    "error.create.resource",
  ),
  "POST /r/repositories/:id/synchronize-mirrors": {
    summary: "Start the synchronisation of an R repository with its mirrors",
    answer: "nothing",
    codes: ["repository.notfound", deletedRecord],
  },
  "GET /r/repositories/:id/synchronization-status": read(
    synchronizationStatus,
    "How the last synchronisation went",
    "repository.notfound",
    "error.get.synchronization.status",
  ),
  "GET /python/repositories": list(pythonRepositoryList, "Python repositories"),
  "GET /python/repositories/:id": read(pythonRepositoryItem, "One Python repository", "repository.notfound"),
  "POST /python/repositories": create(
    pythonRepositoryItem,
    pythonRepositoryCreation,
    "Create a Python repository",
    "repository.declarative.mode",
  ),
  "PATCH /python/repositories/:id": edit(
    pythonRepositoryItem,
    "Change, publish, delete or restore a Python repository",
    ...repositoryCodes,
    deletedRecord,
  ),
  "DELETE /python/repositories/:id": purge(
    "Remove a Python repository with all its packages for good",
    ...repositoryCodes,
  ),
  "POST /python/repositories/:id/republish": read(
    pythonRepositoryItem,
    "Publish a Python repository again",
    ...repositoryCodes,
    deletedRecord,
    "error.validation",
    "error.apply.patch",
    "error.create.resource",
  ),
  "POST /python/repositories/:id/synchronize-mirrors": {
    summary: "Start the synchronisation of a Python repository with its mirrors",
    answer: "nothing",
    codes: ["repository.notfound", deletedRecord],
  },
  "GET /python/repositories/:id/synchronization-status": read(
    synchronizationStatus,
    "How the last synchronisation went",
    "repository.notfound",
    "error.get.synchronization.status",
  ),

  "GET /packages": list(packageList, "Packages of both technologies"),
  "GET /packages/:id": read(singlePackageItem, "One package of either technology", "package.notfound"),
  "GET /packages/:id/dependencies": read(
    packageDependencies,
    "What a package needs, where that can be had here, and what needs it",
    "package.notfound",
    "error.validation",
  ),
  "GET /r/packages": list(rPackageList, "R packages"),
  "GET /r/packages/:id": read(rPackageItem, "One R package", "package.notfound"),
  "PATCH /r/packages/:id": edit(
    rPackageItem,
    "Activate, deactivate, delete or restore an R package",
    ...packageCodes,
    deletedRecord,
  ),
  "DELETE /r/packages/:id": purge("Remove a deleted R package for good", ...packageCodes),
  "GET /r/packages/:id/download/:file": download(["application/gzip"], "The archive of an R package"),
  "GET /r/packages/:id/manual": download(
    ["application/pdf"],
    "The reference manual of an R package as PDF, where it was built",
    "error.manual.not.found",
    "package.get.reference.manual",
  ),
  "GET /r/packages/:id/manual.html": download(
    ["text/html"],
    "The reference manual of an R package as a page, made of its Rd files",
    "error.manual.not.found",
    "error.validation",
    "package.get.reference.manual",
  ),
  "GET /r/packages/:id/vignettes": read(z.array(vignette), "The vignettes of an R package", "package.notfound"),
  "GET /r/packages/:id/vignettes/:file": download(
    ["text/html", "application/pdf"],
    "One vignette of an R package",
    "error.vignette.not.found",
    "error.validation",
    "error.download.vignette",
  ),
  "GET /python/packages": list(pythonPackageList, "Python packages"),
  "GET /python/packages/:id": read(pythonPackageItem, "One Python package", "package.notfound"),
  "PATCH /python/packages/:id": edit(
    pythonPackageItem,
    "Activate, deactivate, delete or restore a Python package",
    ...packageCodes,
    deletedRecord,
  ),
  "DELETE /python/packages/:id": purge("Remove a deleted Python package for good", ...packageCodes),
  "GET /python/packages/:id/download/:file": download(
    ["application/gzip", "application/zip"],
    "The file of a Python package",
  ),

  "GET /submissions": list(submissionList, "Submissions of both technologies"),
  "GET /submissions/:id": read(submissionItem, "One submission of either technology", "submission.notfound"),
  "GET /r/submissions": list(rSubmissionList, "Submissions of R packages"),
  "GET /r/submissions/:id": read(submissionItem, "One submission of an R package", "submission.notfound"),
  "POST /r/submissions": upload("an R source package"),
  "PATCH /r/submissions/:id": edit(
    submissionItem,
    "Accept, reject or cancel the submission of an R package",
    "submission.notfound",
    deletedRecord,
  ),
  "DELETE /r/submissions/:id": purge("Remove a submission with its R package for good", "submission.notfound"),
  "GET /python/submissions": list(pythonSubmissionList, "Submissions of Python packages"),
  "GET /python/submissions/:id": read(submissionItem, "One submission of a Python package", "submission.notfound"),
  "POST /python/submissions": upload("an sdist or a wheel"),
  "PATCH /python/submissions/:id": edit(
    submissionItem,
    "Accept, reject or cancel the submission of a Python package",
    "submission.notfound",
    deletedRecord,
  ),
  "DELETE /python/submissions/:id": purge(
    "Remove a submission with its Python package for good",
    "submission.notfound",
  ),

  "GET /package-maintainers": list(packageMaintainerList, "Package maintainers"),
  "GET /package-maintainers/candidates": list(candidateList, "People who can be made package maintainers"),
  "GET /package-maintainers/:id": read(
    packageMaintainerItem,
    "One package maintainer",
    "error.packagemaintainer.notfound",
  ),
  "POST /package-maintainers": create(
    packageMaintainerItem,
    packageMaintainerCreation,
    "Make somebody the maintainer of a package",
  ),
  "PATCH /package-maintainers/:id": edit(
    packageMaintainerItem,
    "Change, delete or restore a package maintainer",
    "error.packagemaintainer.notfound",
    deletedRecord,
  ),
  "DELETE /package-maintainers/:id": purge(
    "Remove a deleted package maintainer for good",
    "error.packagemaintainer.notfound",
  ),

  "GET /repository-maintainers": list(repositoryMaintainerList, "Repository maintainers"),
  "GET /repository-maintainers/:id": read(
    repositoryMaintainerItem,
    "One repository maintainer",
    "error.repositorymaintainer.notfound",
  ),
  "POST /repository-maintainers": create(
    repositoryMaintainerItem,
    repositoryMaintainerCreation,
    "Make somebody the maintainer of a repository",
  ),
  "PATCH /repository-maintainers/:id": edit(
    repositoryMaintainerItem,
    "Change, delete or restore a repository maintainer",
    "error.repositorymaintainer.notfound",
    deletedRecord,
  ),
  "DELETE /repository-maintainers/:id": purge(
    "Remove a deleted repository maintainer for good",
    "error.repositorymaintainer.notfound",
  ),

  "GET /events": list(eventList, "What happened, the newest first"),
  "GET /events/export": {
    summary: "All events that the list finds, the newest first, as a file",
    answer: { file: Object.values(exportTypes) },
    query: exportQuery,
    codes: ["too.many.exports"],
  },
  "GET /events/:id": { ...read(eventItem, "One event", "event.notfound"), query: eventFlags },
};
