import { may } from "@packhouse/contract/permissions";
import {
  type CommentCreation,
  mostComments,
  mostReviewCharacters,
  reviewComment,
} from "@packhouse/contract/review/conversation";
import { z } from "zod";
import { type Actor, relationTo } from "../../../http/actor.ts";
import type { Viewer } from "../../../http/application.ts";
import { type PatchOperation, patched } from "../../../http/patch/json-patch.ts";
import type { Tx } from "../../../platform/db/database.ts";
import { invalid, Refusal } from "../../../platform/errors/refusal.ts";
import { change } from "../../../platform/event-log/record-event.ts";
import type { Deps } from "../../deps.ts";
import { changeReview, type ReviewUnit } from "../reviewed/change-review.ts";
import { checkReview, requiredText } from "../reviewed/check-review.ts";
import { reviewed } from "../reviewed/reviewed-store.ts";
import { comments, type StoredComment } from "./comment-store.ts";
import { presentComment } from "./present-comment.ts";

/** Comments on a release, or on a line of a file in it. */
export async function addComment(
  deps: Deps,
  actor: Actor,
  submissionId: number,
  given: CommentCreation,
): Promise<StoredComment> {
  const id = await changeReview(
    deps,
    { actor, id: submissionId, permission: "commentOnRelease" },
    async ({ tx, at, files, record }) => {
      const path = given.path ?? null;
      const line = given.line ?? null;
      const side = given.side ?? null;
      if ((line !== null || side !== null) && (path === null || line === null || side === null))
        throw invalid(["review.line.without.file"]);
      const text = requiredText(given.text);
      checkRoom(await comments(tx).count(submissionId, actor.id), 1, mostComments);
      await checkRoomForText(tx, files, actor, text.length + (path?.length ?? 0));
      const added = await comments(tx).add({
        submission_id: submissionId,
        author_id: actor.id,
        text,
        path,
        line,
        side,
        sha256: given.sha256 ?? null,
        created_on: at,
      });
      await deps.notices.commented(tx, { submissionId, authorId: actor.id, files });
      await record(change("comment", null, added), "commented on");
      return added;
    },
  );
  return stored(deps, id);
}

/** One user may fill half of the room, so that others can still answer. */
function checkRoom({ all, own }: { all: number; own: number }, added: number, most: number): void {
  if (all + added > most || own + added > most / 2) throw invalid(["too.many.comments"]);
}

/** What is written about a release is read as a whole. */
async function checkRoomForText(tx: Tx, files: readonly number[], { id }: Actor, added: number): Promise<void> {
  if (added > 0) checkRoom(await comments(tx).characters(files, id), added, mostReviewCharacters);
}

/** A comment, for users who may read the review. */
export async function readComment(deps: Pick<Deps, "db">, actor: Actor, id: number): Promise<StoredComment> {
  const row = await stored(deps, id);
  const submission = await reviewed(deps.db).byId(row.submission_id);
  checkReview(submission, actor, "readReview");
  return row;
}

/** Only the text of a comment can change. */
const shape = z.strictObject({
  ...reviewComment.shape,
  author: z.unknown(),
  links: z.unknown().optional(),
});

export async function editComment(
  deps: Deps,
  viewer: Viewer,
  id: number,
  operations: readonly PatchOperation[],
): Promise<StoredComment> {
  await changeOwn(deps, viewer.actor, id, async ({ tx, at, files, record }, before) => {
    const { links: _links, ...item } = presentComment(before, viewer);
    const after = await patched(deps.workers, shape, item, operations);
    const text = requiredText(after.text);
    if (!operations.every(({ path }) => path === "/text")) throw invalid(["forbidden.update"]);
    if (text === before.text) return;
    await checkRoomForText(tx, files, viewer.actor, text.length - before.text.length);
    await comments(tx).edit(id, text, at);
    await record([{ property: "comment", valueBefore: String(id), valueAfter: String(id) }], "edited a comment on");
  });
  return stored(deps, id);
}

export const deleteComment = (deps: Deps, actor: Actor, id: number): Promise<void> =>
  changeOwn(deps, actor, id, async ({ tx, at, record }) => {
    await comments(tx).remove(id, at);
    await record(change("comment", id, null), "deleted a comment on");
  });

/** Authors may change their comments as long as they may read the review. */
async function changeOwn(
  deps: Deps,
  actor: Actor,
  id: number,
  work: (unit: ReviewUnit, comment: StoredComment) => Promise<void>,
): Promise<void> {
  const { submission_id } = await stored(deps, id);
  await changeReview(deps, { actor, id: submission_id, permission: "readReview" }, async (unit) => {
    const comment = await stored({ db: unit.tx }, id);
    if (!may("editReviewComment", actor, relationTo(actor, { ownerId: comment.author.id })))
      throw new Refusal("user.not.authorized");
    await work(unit, comment);
  });
}

/** One that has not been deleted. */
async function stored({ db }: { db: Parameters<typeof comments>[0] }, id: number): Promise<StoredComment> {
  const row = await comments(db).byId(id);
  if (!row || row.deleted_on) throw new Refusal("review.comment.notfound");
  return row;
}
