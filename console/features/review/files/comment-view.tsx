import { Textarea } from "@mantine/core";
import { mayDelete, mayPatch } from "@packhouse/contract/links";
import { deleteComment, editComment } from "@packhouse/contract/operations/review";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call, replace } from "../../../api/client.ts";
import { useChange } from "../../../calls/use-change.ts";
import { formatDateTime } from "../../../language/i18n.ts";
import { Avatar } from "../../../ui/display/avatar.tsx";
import { formatRelative } from "../../../ui/display/relative-time.ts";
import { BlockableButton } from "../../../ui/forms/blockable-button.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Markdown } from "../../../ui/prose/markdown.tsx";
import buttonStyles from "../../../ui/styles/button.module.css";
import textStyles from "../../../ui/styles/text.module.css";
import bylineStyles from "../parts/byline.module.css";
import entryStyles from "../parts/entry.module.css";
import styles from "./comment-view.module.css";
import type { LineComment } from "./file-card.tsx";

interface CommentViewProps {
  comment: LineComment;
  /** Of the file now, to tell comments on an earlier one. */
  sha256?: string | null;
}

/** Who wrote what, and when. Authors edit and delete their own. */
export function CommentView({ comment, sha256 }: CommentViewProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<string>();
  const remove = useChange(() => call(deleteComment, { id: comment.id }), {
    success: t("review.commentDeleted"),
    affects: [["review"]],
  });
  const save = useChange(() => call(editComment, { id: comment.id, body: [replace("/text", draft ?? comment.text)] }), {
    success: t("review.commentSent"),
    affects: [["review"]],
    onDone: () => setDraft(undefined),
  });
  const outdated = sha256 !== undefined && comment.sha256 !== null && comment.sha256 !== sha256;
  return (
    <div className={`${entryStyles.entry} ${styles.comment}`} data-testid={`comment-${comment.id}`}>
      <Avatar name={comment.author.name} />
      <div className={styles.body}>
        <div className={`${bylineStyles.byline} ${styles.by}`}>
          <b>{comment.author.name}</b>
          <time dateTime={comment.created} title={formatDateTime(comment.created)}>
            {formatRelative(comment.created)}
          </time>
          {comment.line !== null && <span>{t("review.onLine", { line: comment.line })}</span>}
          {outdated && <span>{t("review.outdated")}</span>}
          {comment.edited !== null && <span>{t("review.edited")}</span>}
          <span className={styles.tools}>
            {mayPatch(comment, "text") && (
              <IconButton
                icon={IconPencil}
                label={t("review.editComment")}
                onPress={() => setDraft(draft === undefined ? comment.text : undefined)}
              />
            )}
            {mayDelete(comment) && (
              <IconButton icon={IconTrash} danger label={t("review.deleteComment")} onPress={remove.change} />
            )}
          </span>
        </div>
        {comment.deleted ? (
          <p className={textStyles.muted}>{t("review.commentDeleted")}</p>
        ) : draft === undefined ? (
          <Markdown text={comment.text} testId={`comment-text-${comment.id}`} />
        ) : (
          <>
            <Textarea
              aria-label={t("review.editComment")}
              autosize
              minRows={2}
              value={draft}
              onChange={(event) => setDraft(event.currentTarget.value)}
            />
            <div className={styles.buttons}>
              <button type="button" className={buttonStyles.button} onClick={() => setDraft(undefined)}>
                {t("action.cancel")}
              </button>
              <BlockableButton
                loading={save.busy}
                blocked={draft.trim() === "" ? t("review.writeFirst") : undefined}
                onClick={save.change}
              >
                {t("action.save")}
              </BlockableButton>
            </div>
          </>
        )}
      </div>
    </div>
  );
}
