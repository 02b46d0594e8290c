import { invalidServerAddress } from "./violation-sentences.ts";

/**
 * Every code that the API responds with: its HTTP status and its text.
 * Codes are the contract; texts may change.
 */
export const messages = {
  "success.request.processed": { status: 200, text: "Done." },
  "success.resource.created": { status: 201, text: "Created." },
  "warning.package.duplicate": {
    status: 200,
    text: "This version of the package is already in the repository. Nothing was stored.",
  },
  "warning.replacing.packages.disabled": {
    status: 200,
    text: "Replacing packages is switched off on this server. Nothing was stored.",
  },
  "warning.synchronization.failure": {
    status: 201,
    text: "Stored, but the repository could not be pushed to its server.",
  },
  "warning.unknown": { status: 201, text: "Stored, but something unexpected happened afterward." },
  "generate.manual.not.supported": { status: 201, text: "Stored. Manuals are not built for binary packages." },
  "manual.generation.unavailable": { status: 201, text: "Stored. This server cannot build manuals." },

  "bad.request": { status: 400, text: "The request cannot be read." },
  "unrecognized.query.parameter": { status: 400, text: "The list cannot be sorted by this field." },
  "error.user.not.authenticated": { status: 401, text: "You are not signed in." },
  "second.factor.required": { status: 401, text: "The password is correct. A second factor is required to sign in." },
  "second.factor.enrollment.required": {
    status: 401,
    text: "The password is correct. Your role requires a second factor: add one to sign in.",
  },
  "second.factor.refused": { status: 401, text: "The second factor was not accepted." },
  "second.factor.expired": { status: 401, text: "This sign-in has expired. Please start again with your password." },
  "password.change.required": { status: 401, text: "Choose your own password before you sign in." },
  "user.not.authorized": { status: 403, text: "You are not authorized to do this." },
  "not.found": { status: 404, text: "There is nothing at this address." },
  "package.notfound": { status: 404, text: "There is no such package." },
  "repository.notfound": { status: 404, text: "There is no such repository." },
  "submission.notfound": { status: 404, text: "There is no such submission." },
  "review.comment.notfound": { status: 404, text: "There is no such comment." },
  "user.notfound": { status: 404, text: "There is no such user." },
  "event.notfound": { status: 404, text: "There is no such event." },
  "error.packagemaintainer.notfound": { status: 404, text: "There is no such package maintainer." },
  "error.repositorymaintainer.notfound": { status: 404, text: "There is no such repository maintainer." },
  "error.access.token.not.found": { status: 404, text: "There is no such access token." },
  "second.factor.notfound": { status: 404, text: "There is no such second factor." },
  "session.notfound": { status: 404, text: "There is no such session." },
  "error.manual.not.found": { status: 404, text: "The package has no manual." },
  "error.vignette.not.found": { status: 404, text: "The package has no such vignette." },
  "error.member.not.found": { status: 404, text: "The archive has no such file." },
  "error.get.synchronization.status": { status: 404, text: "This repository has never been synchronized." },
  "method.not.allowed": { status: 405, text: "This method is not supported here." },
  "editing.deleted.resource.not.possible": { status: 405, text: "Deleted records cannot be changed." },
  "repository.declarative.mode": {
    status: 405,
    text: "Repositories are defined in the configuration files of this server.",
  },
  "deleting.packages.disabled": { status: 405, text: "Deleting packages is switched off on this server." },
  "deleting.repositories.disabled": { status: 405, text: "Deleting repositories is switched off on this server." },
  "not.acceptable": { status: 406, text: "The server cannot respond in the requested content type." },
  "payload.too.large": { status: 413, text: "The request is larger than this server accepts." },
  "unsupported.media.type": { status: 415, text: "This content type is not supported here." },
  "error.validation": { status: 422, text: "The record is not valid." },
  "error.malformed.patch": { status: 422, text: "The patch cannot be applied." },
  "member.not.text": { status: 422, text: "The file is not a text file." },
  "member.too.large": { status: 422, text: "The file is too large to be shown." },
  "error.invalid.serveraddress": { status: 422, text: invalidServerAddress },
  "error.unhealthy.serveraddress": { status: 422, text: "No healthy repository server responds at this address." },
  "request.header.too.large": { status: 431, text: "The request header is larger than this server accepts." },
  "too.many.requests": { status: 429, text: "Too many requests. Please wait a moment and try again." },
  "too.many.calls": {
    status: 429,
    text: "You have sent too many requests within a minute. Please wait a moment.",
  },
  "too.many.calls.from.address": {
    status: 429,
    text: "Too many requests have come from your address within a minute. Please wait a moment.",
  },
  "too.many.uploads": {
    status: 429,
    text: "You have uploaded too many files within a minute. Please wait a moment.",
  },
  "too.many.uploads.from.address": {
    status: 429,
    text: "Too many files have been uploaded from your address within a minute. Please wait a moment.",
  },
  "too.many.waiting.submissions": {
    status: 429,
    text: "Too many of your submissions are waiting for a decision. Try again once some have been accepted, rejected or canceled.",
  },
  "too.many.waiting.submissions.in.repository": {
    status: 429,
    text: "Too many submissions are waiting in this repository. Try again once some have been accepted, rejected or canceled.",
  },
  "too.many.waiting.bytes": {
    status: 429,
    text: "Your waiting submissions would take up too much space. Try again once some have been accepted, rejected or canceled.",
  },
  "too.many.access.tokens": {
    status: 429,
    text: "You have too many access tokens. Delete some, or wait until one expires.",
  },
  "too.many.exports": {
    status: 429,
    text: "You already have an export running, or the server is busy with other exports. Please wait a moment.",
  },
  "error.apply.patch": { status: 500, text: "The change could not be applied." },
  "error.create.resource": { status: 500, text: "The record could not be created." },
  "error.delete.resource": { status: 500, text: "The record could not be deleted." },
  "package.get.reference.manual": { status: 500, text: "The manual could not be read." },
  "error.download.vignette": { status: 500, text: "The vignette could not be read." },
  "internal.error": {
    status: 500,
    text: "Something unexpected happened. Please give the trace ID to an administrator.",
  },
  "service.unavailable": { status: 503, text: "The service is not ready. Please try again in a moment." },
  "storage.full": { status: 507, text: "The server has run out of storage space." },
} as const satisfies Record<string, { status: number; text: string }>;

export type MessageCode = keyof typeof messages;
