import { submissionOf } from "@packhouse/contract/operations/submissions";
import { mayTry } from "@packhouse/contract/permissions";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "../../http/actor.ts";
import { type App, refusalOf } from "../../http/application.ts";
import type { Digests } from "../../platform/db/schema.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import { withDigests } from "../../platform/storage/storage.ts";
import { isUploadPath, methodsAt } from "../../publish/serve/methods.ts";
import type { Deps } from "../deps.ts";
import { submissions } from "./store.ts";
import { receiveForm } from "./upload/receive-upload.ts";
import { uploadPackage } from "./upload-package.ts";

/** The message for a user at a terminal. Its first line is also the reason of the status line, which twine prints. */
interface UploadAnswer {
  status: number;
  text: string;
}

interface Taking {
  request: FastifyRequest;
  reply: FastifyReply;
  gone: AbortSignal;
}

/**
 * `POST /repo/{name}/legacy/`: the upload API of twine and `uv publish`, with the status codes and the wording that
 * they look for. Outside of the API: no envelope. An upload becomes a submission like any other.
 * https://docs.pypi.org/api/upload/
 */
export function legacyUploadRoutes({ fastify, authenticate }: App, deps: Deps): void {
  fastify.route({
    method: "POST",
    url: "/repo/:repository/*",
    bodyLimit: deps.settings["upload.maxBytes"],
    errorHandler: (error, request, reply) =>
      send(reply.headers(refusalOf(error)?.headers ?? {}), answerTo(error, request)),
    // Before the body is read, because its type does not matter there.
    onRequest: async (request, reply) => {
      const { repository, "*": rest } = parametersOf(request);
      if (isUploadPath(rest)) return;
      reply.header("allow", methodsAt(rest));
      return send(reply, { status: 405, text: `Packages are uploaded to /repo/${repository}/legacy/` });
    },
    handler: async (request, reply) => {
      const { repository } = parametersOf(request);
      if (repository.includes("\0")) throw new Refusal("repository.notfound"); // which the database could not compare
      deps.limits.rates.callFrom(request);
      const actor = await authenticate({ header: request.headers.authorization, address: request.ip });
      if (!actor) {
        deps.limits.rates.byStranger(request);
        throw new Refusal("error.user.not.authenticated");
      }
      if (!mayTry(submissionOf.Python.upload.permission, actor)) throw new Refusal("user.not.authorized");

      deps.limits.rates.uploadBy(actor, request);
      return deps.limits.uploads.run(actor, request, (gone) => take(actor, repository, { request, reply, gone }));
    },
  });

  async function take(actor: Actor, repository: string, { request, reply, gone }: Taking) {
    const form = await receiveForm(request, deps.storage, "content", deps.settings["upload.maxBytes"]);
    const { file } = form;
    const { digests } = await withDigests(file.received);
    const wrong = wrongForm(form, digests);
    if (wrong) {
      await file.received.discard();
      return send(reply, wrong);
    }
    // uv sends every part as text; the bytes show what the file is.
    const upload = { ...file, contentType: "", parameters: { repository }, gone };
    const outcome = await uploadPackage(deps, actor, "Python", upload);
    const submission = await submissions(deps.db).byId(outcome.submissionId);
    if (!submission) throw new Refusal("submission.notfound");
    if (!outcome.stored && submission.digest !== digests.sha256)
      return send(reply, { status: 400, text: `File already exists: ${submission.file_name} has different contents` });
    const { name, version, submission_state: state } = submission;
    const fate =
      state === "ACCEPTED"
        ? "is accepted"
        : state === "WAITING"
          ? "is waiting for review"
          : `is ${state.toLowerCase()}`;
    return send(reply, { status: 200, text: `${name} ${version} ${fate}` });
  }
}

const parametersOf = ({ params }: FastifyRequest) => params as { repository: string; "*": string }; // set by the router

function wrongForm(
  { fields, otherFiles }: Awaited<ReturnType<typeof receiveForm>>,
  digests: Digests,
): UploadAnswer | undefined {
  const action = fields.get(":action")?.[0];
  if (action === undefined) return { status: 400, text: "The field :action is missing" };
  if (action !== "file_upload") return { status: 400, text: `The action ${action} is not known` };
  for (const name of ["sha256", "md5"] as const) {
    const sent = fields.get(`${name}_digest`)?.[0]?.toLowerCase();
    if (sent && sent !== digests[name])
      return {
        status: 400,
        text: `The file is damaged: its ${name.toUpperCase()} digest does not match the one that was sent`,
      };
  }
  // To accept the package without them would promise that readers can check them.
  if (fields.get("attestations")?.some((sent) => !["", "[]"].includes(sent.trim())))
    return {
      status: 400,
      text: "Attestations cannot be published here: upload without them (twine without --attestations, uv with --no-attestations)",
    };
  if (otherFiles.has("gpg_signature") || fields.has("gpg_signature"))
    return {
      status: 400,
      text: "Signatures cannot be published here: upload without them (twine without --sign and .asc files)",
    };
  return undefined;
}

/** The API's answer as text. */
function answerTo(error: unknown, request: FastifyRequest): UploadAnswer {
  const refusal = refusalOf(error);
  if (!refusal) {
    request.log.error({ err: error, traceId: request.traceId }, "upload failed");
    return { status: 500, text: `Something went wrong on the server. Trace ID: ${request.traceId}` };
  }
  if (refusal.code === "error.user.not.authenticated")
    return { status: 401, text: "Uploading requires a username and an access token, or __token__ and the token" };
  const reasons = Array.isArray(refusal.data) ? refusal.data.join(", ") : refusal.data;
  // PyPI has no 422.
  return typeof reasons === "string"
    ? { status: 400, text: `The package was not accepted: ${reasons}` }
    : { status: refusal.status, text: refusal.message };
}

function send(reply: FastifyReply, { status, text }: UploadAnswer): FastifyReply {
  // A reason phrase may have only these characters (RFC 9112, 4).
  reply.raw.statusMessage = text.replace(/[^\t\x20-\x7e]/g, "?");
  if (status === 401) reply.header("www-authenticate", 'Basic realm="Packhouse"');
  return reply.code(status).type("text/plain; charset=utf-8").send(`${text}\n`);
}
