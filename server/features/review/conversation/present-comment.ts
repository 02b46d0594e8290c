import type { Sent } from "@packhouse/contract/answer";
import { instantText } from "@packhouse/contract/envelope";
import type { reviewComment } from "@packhouse/contract/review/conversation";
import type { Viewer } from "../../../http/application.ts";
import type { StoredComment } from "./comment-store.ts";

/** For users who may read the review. */
export function presentComment(row: StoredComment, { actor, api }: Viewer): Sent<typeof reviewComment> {
  const href = `${api}/review-comments/${row.id}`;
  const deleted = row.deleted_on !== null;
  return {
    id: row.id,
    submissionId: row.submission_id,
    path: row.path,
    line: row.line,
    side: row.side,
    sha256: row.sha256,
    text: row.text,
    author: row.author,
    created: instantText(row.created_on),
    edited: row.edited_on && instantText(row.edited_on),
    deleted,
    links: [
      { rel: "self", href },
      ...(row.author.id === actor.id && !deleted
        ? [
            { rel: "self", href, type: "PATCH" as const, modifiableProperties: ["text"] },
            { rel: "self", href, type: "DELETE" as const },
          ]
        : []),
    ],
  };
}
