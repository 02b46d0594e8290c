import { Textarea } from "@mantine/core";
import { offers } from "@packhouse/contract/links";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatDateTime } from "../../../language/i18n.ts";
import { Avatar } from "../../../ui/display/avatar.tsx";
import { formatRelative } from "../../../ui/display/relative-time.ts";
import { BlockableButton } from "../../../ui/forms/blockable-button.tsx";
import { Markdown } from "../../../ui/prose/markdown.tsx";
import { useKeys } from "../../../ui/shortcuts.ts";
import textStyles from "../../../ui/styles/text.module.css";
import { oncePerRelease } from "../data/decisions.ts";
import { nameOf, type ReleaseReview } from "../data/queries.ts";
import { useComment } from "../data/use-comment.ts";
import { CommentView } from "../files/comment-view.tsx";
import entryStyles from "../parts/entry.module.css";
import { Section } from "../parts/section.tsx";
import styles from "./conversation.module.css";

/** What was written and decided, in the order of time. */
export function Conversation({ review, id }: { review: ReleaseReview; id: number }) {
  const { t } = useTranslation();
  const { release, comments, decisions } = review;
  const entries = [
    ...comments.map((comment) => ({ at: comment.created, comment, decision: undefined })),
    ...oncePerRelease(decisions).map((decision) => ({ at: decision.time, comment: undefined, decision })),
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return (
    <Section title={t("review.tab.conversation")}>
      {release.changes !== "" && (
        <div className={entryStyles.entry}>
          <Avatar name={release.submitter.name} />
          <div>
            <span className={textStyles.muted}>
              {t("review.note")} · {formatRelative(release.created)}
            </span>
            <Markdown text={release.changes} testId="review-changes-text" />
          </div>
        </div>
      )}
      {release.changes === "" && entries.length === 0 && <p>{t("review.noConversation")}</p>}
      {entries.map(({ at, comment, decision }) =>
        comment ? (
          <div key={`comment ${comment.id}`}>
            {comment.path !== null && <span className={styles.path}>{comment.path}</span>}
            <CommentView comment={comment} />
          </div>
        ) : (
          <div key={`decision ${decision.id}`} className={entryStyles.entry}>
            <Avatar name={decision.user.name} />
            <div>
              <strong title={formatDateTime(at)}>
                {t(`review.decided.${decision.decision}`, {
                  user: decision.user.name,
                  name: nameOf(release),
                  when: formatRelative(at),
                })}
              </strong>
              {decision.passedOver.length > 0 && (
                <p>{t("review.missingChecks", { names: decision.passedOver.join(", ") })}</p>
              )}
              {decision.reason !== "" && <Markdown text={decision.reason} testId={`decision-${decision.id}`} />}
            </div>
          </div>
        ),
      )}
      {offers(release, "comments") && <NewComment id={id} />}
    </Section>
  );
}

function NewComment({ id }: { id: number }) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const { busy, blocked, change } = useComment(id, { text }, () => setText(""));
  useKeys((key) => {
    if (key !== "c") return false;
    field.current?.focus();
    return true;
  });
  // The key that opened this tab was for writing.
  useEffect(() => field.current?.scrollIntoView({ block: "nearest" }), []);
  return (
    <div className={styles.write}>
      <Textarea
        ref={field}
        label={t("review.write")}
        autosize
        minRows={3}
        maxRows={14}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        data-testid="review-comment"
      />
      <BlockableButton loading={busy} blocked={blocked} onClick={change} data-testid="review-comment-add">
        {t("review.send")}
      </BlockableButton>
    </div>
  );
}
