import * as operations from "@packhouse/contract/operations/review";
import { listReviews } from "@packhouse/contract/operations/review-list";
import { lookingSeconds } from "@packhouse/contract/review/conversation";
import type { App } from "../../http/application.ts";
import { Fitted } from "../../http/handle.ts";
import { readChecks, reportCheck } from "./checks/checks.ts";
import { addComment, deleteComment, editComment, readComment } from "./conversation/change-comments.ts";
import { comments } from "./conversation/comment-store.ts";
import { assessRelease, assignRelease, lookAtRelease, markFile } from "./conversation/desk.ts";
import { presentComment } from "./conversation/present-comment.ts";
import { decideRelease } from "./decide-release.ts";
import type { ReviewDeps } from "./deps.ts";
import { presentAssessment, readableReview, readReview } from "./read-review.ts";
import { presentRelease } from "./releases/present-release.ts";
import { releases } from "./releases/release-store.ts";

export function reviewRoutes(app: App, deps: ReviewDeps): void {
  const { db, clock } = deps;
  const store = releases(db);

  app.list(listReviews, (query, actor) => store.find(query, { actor, now: clock() }), presentRelease);
  app.handle(
    operations.readReview,
    async (call) => new Fitted(await readReview(deps, call, { id: call.id, ...call.query })),
  );
  app.handle(operations.decideOnRelease, async (call) => {
    const id = await decideRelease(deps, call.actor, call.id, call.body);
    return new Fitted(await readReview(deps, call, { id, findings: false }));
  });

  app.handle(operations.readComments, async (call) => {
    const { files } = await readableReview(deps, call, call.id);
    const found = await comments(db).of(files);
    return new Fitted({
      comments: found.map((row) => presentComment(row, call)),
      links: [{ rel: "self", href: `${call.api}/submissions/${call.id}/comments` }],
    });
  });
  app.handle(operations.addComment, async (call) =>
    presentComment(await addComment(deps, call.actor, call.id, call.body), call),
  );
  app.handle(operations.readComment, async (call) =>
    presentComment(await readComment(deps, call.actor, call.id), call),
  );
  app.handle(operations.editComment, async (call) =>
    presentComment(await editComment(deps, call, call.id, call.body), call),
  );
  app.handle(operations.deleteComment, ({ actor, id }) => deleteComment(deps, actor, id));

  app.handle(
    operations.markFile,
    async ({ actor, id, body }) => new Fitted({ marks: await markFile(deps, actor, id, body) }),
  );
  app.handle(operations.lookAtRelease, async ({ actor, id, body }) => ({
    looking: await lookAtRelease(deps, actor, id, { ended: body.ended ?? false }),
    lookingSeconds,
  }));
  app.handle(operations.assignRelease, async ({ actor, id, body }) => ({
    assignee: await assignRelease(deps, actor, id, body.userId),
  }));

  app.handle(operations.readChecks, async (call) => {
    const { files } = await readableReview(deps, call, call.id);
    return new Fitted(await readChecks(db, call.id, files));
  });
  app.handle(operations.reportCheck, async (call) => {
    await reportCheck(deps, call.actor, call.id, call.body);
    const { files } = await readableReview(deps, call, call.id);
    return new Fitted(await readChecks(db, call.id, files));
  });
  app.handle(operations.assessRelease, async ({ actor, id, body }) => ({
    assessment: presentAssessment(
      await assessRelease(deps, actor, id, { category: body.category, comment: body.comment ?? "" }),
    ),
  }));
}
