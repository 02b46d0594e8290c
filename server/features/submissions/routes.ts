import fastifyMultipart from "@fastify/multipart";
import * as operations from "@packhouse/contract/operations/submissions";
import type { Technology } from "@packhouse/contract/technology";
import type { Actor } from "../../http/actor.ts";
import type { App } from "../../http/application.ts";
import { type Call, queryOf, Warning } from "../../http/handle.ts";
import { mayReadRepository } from "../../identity/read-rights.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { purgeInTransaction } from "../packages/purge-package.ts";
import { decideSubmissions } from "./decide-submissions.ts";
import { legacyUploadRoutes } from "./legacy-upload.ts";
import { patchSubmission } from "./patch-submission.ts";
import { submissionPresenter } from "./present-submission.ts";
import { type Submission, submissions } from "./store.ts";
import { receiveUpload } from "./upload/receive-upload.ts";
import { uploadPackage } from "./upload-package.ts";

export async function submissionRoutes(app: App, deps: Deps): Promise<void> {
  await app.fastify.register(fastifyMultipart);
  legacyUploadRoutes(app, deps);
  const present = submissionPresenter(deps.settings);
  const store = submissions(deps.db);

  const found = async (id: number, technology?: Technology): Promise<Submission> => {
    const row = await store.byId(id);
    if (!row || (technology && row.technology !== technology)) throw new Refusal("submission.notfound");
    return row;
  };

  const readable = async (
    { id, actor }: { id: number; actor: Actor },
    technology?: Technology,
  ): Promise<Submission> => {
    const row = await found(id, technology);
    if (!mayReadRepository(actor, row.repository)) throw new Refusal("submission.notfound");
    return row;
  };

  app.list(operations.listSubmissions, (query, actor) => store.find(query, actor), present.base);
  app.list(operations.submissionOf.R.list, (query, actor) => store.find(query, actor, "R"), present.own);
  app.list(operations.submissionOf.Python.list, (query, actor) => store.find(query, actor, "Python"), present.own);
  app.handle(operations.readSubmission, async (call) => present.base(await readable(call), call));

  app.handle(operations.decideOnSubmissions, async ({ actor, body }) => ({
    results: await decideSubmissions(deps, actor, body),
  }));

  for (const technology of ["R", "Python"] as const) {
    const { read, upload, decide, purge } = operations.submissionOf[technology];
    app.handle(read, async (call) => present.own(await readable(call, technology), call));
    app.handle(upload, (call) => receive(technology, call));
    app.handle(decide, async (call) =>
      present.own(await patchSubmission(deps, call, { technology, id: call.id }, call.body), call),
    );
    app.handle(purge, async ({ actor, id }) =>
      purgeInTransaction(deps, actor, await found(id, technology), "SUBMISSION"),
    );
  }

  async function receive(technology: Technology, call: Call) {
    const { actor, request } = call;
    deps.limits.rates.uploadBy(actor, request);
    const outcome = await deps.limits.uploads.run(actor, request, async (gone) => {
      const received = await receiveUpload(request, queryOf(request), deps.storage, deps.settings["upload.maxBytes"]);
      return uploadPackage(deps, actor, technology, { ...received, gone });
    });
    const item = present.own(await found(outcome.submissionId), call);
    const remark = outcome.stored ? outcome.remark : outcome.code;
    return remark ? new Warning(remark, item) : item;
  }
}
