import fastifyMultipart from "@fastify/multipart";
import { pythonSubmissionList, rSubmissionList, submissionList } from "@packhouse/contract/submissions";
import { type Technology, technologyPath } from "@packhouse/contract/technology";
import { created, noContent, ok, warning } from "../../http/answer.ts";
import type { App, Call } from "../../http/application.ts";
import { readPatch } from "../../http/json-patch.ts";
import { mayReadRepository } from "../../identity/read-rights.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { purgeInTransaction } from "../packages/purge-package.ts";
import { legacyUploadRoutes } from "./legacy-upload.ts";
import { patchSubmission } from "./patch-submission.ts";
import { submissionPresenter } from "./present-submission.ts";
import { type Submission, submissions } from "./store.ts";
import { receiveUpload } from "./upload/receive-upload.ts";
import { uploadPackage } from "./upload-package.ts";
import { uploaderNow } from "./uploader-now.ts";

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

  const readable = async ({ id, actor }: Call, technology?: Technology): Promise<Submission> => {
    const row = await found(id, technology);
    if (!mayReadRepository(actor, row.repository)) throw new Refusal("submission.notfound");
    return row;
  };

  app.list("GET /submissions", submissionList, (query, actor) => store.find(query, actor), present.base);
  app.list("GET /r/submissions", rSubmissionList, (query, actor) => store.find(query, actor, "R"), present.own);
  app.list(
    "GET /python/submissions",
    pythonSubmissionList,
    (query, actor) => store.find(query, actor, "Python"),
    present.own,
  );
  app.route("GET /submissions/:id", async (call) => ok(present.base(await readable(call), call)));

  for (const technology of ["R", "Python"] as const) {
    const path = technologyPath[technology];
    app.route(`GET /${path}/submissions/:id`, async (call) => ok(present.own(await readable(call, technology), call)));
    app.route(`POST /${path}/submissions`, (call) => upload(technology, call));
    app.route(`PATCH /${path}/submissions/:id`, async (call) =>
      ok(present.own(await patchSubmission(deps, call, { technology, id: call.id }, readPatch(call.body)), call)),
    );
    app.route(`DELETE /${path}/submissions/:id`, async (call) => {
      await purgeInTransaction(deps, call.actor, await found(call.id, technology), "SUBMISSION");
      return noContent;
    });
  }

  async function upload(technology: Technology, call: Call) {
    const { actor, request, query } = call;
    deps.limits.rates.uploadBy(actor, request);
    const outcome = await deps.limits.uploads.run(actor, request, async (gone) => {
      const received = await receiveUpload(request, query, deps.storage, deps.settings["upload.maxBytes"]);
      return uploadPackage(deps, await uploaderNow(deps, actor, received), technology, { ...received, gone });
    });
    const item = present.own(await found(outcome.submissionId), call);
    const remark = outcome.stored ? outcome.remark : outcome.code;
    return remark ? warning(remark, item) : created(item);
  }
}
