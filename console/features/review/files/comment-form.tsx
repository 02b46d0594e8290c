import { NumberInput, Textarea } from "@mantine/core";
import type { FileChange } from "@packhouse/contract/review/comparison";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { BlockableButton } from "../../../ui/forms/blockable-button.tsx";
import { Form } from "../../../ui/forms/form.tsx";
import buttonStyles from "../../../ui/styles/button.module.css";
import { useComment } from "../data/use-comment.ts";
import styles from "./comment-form.module.css";

interface CommentFormProps {
  id: number;
  file: FileChange;
  line?: number;
  side?: "before" | "after";
  /** Offers a field for the line; otherwise it is given. */
  choosesLine?: boolean;
  onDone(): void;
}

/** A comment on a file or on one of its lines. Escape leaves it. */
export function CommentForm({ id, file, line, side = "after", choosesLine = false, onDone }: CommentFormProps) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<number | undefined>(line);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const place = {
    path: file.path,
    ...(chosen === undefined ? {} : { line: chosen, side }),
    ...(file.sha256 === null ? {} : { sha256: file.sha256 }),
  };
  const { busy, blocked, change } = useComment(id, { ...place, text }, onDone);
  const label =
    chosen === undefined
      ? t("review.commentOnFile", { file: file.path })
      : t("review.commentOn", { line: chosen, file: file.path });
  return (
    <Form
      className={styles.form}
      blocked={blocked}
      onSubmit={change}
      onKeyDown={(event) => {
        if (event.key === "Escape") onDone();
      }}
    >
      <Textarea
        ref={field}
        aria-label={label}
        placeholder={label}
        autosize
        minRows={1}
        maxRows={10}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        className={styles.text}
        data-testid="review-comment-field"
      />
      {choosesLine && (
        <NumberInput
          aria-label={t("review.line", { line: "" })}
          placeholder={t("review.line", { line: "" })}
          min={1}
          allowDecimal={false}
          hideControls
          value={chosen ?? ""}
          onChange={(value) => setChosen(typeof value === "number" ? value : undefined)}
          className={styles.line}
        />
      )}
      <BlockableButton type="submit" loading={busy} blocked={blocked} data-testid="review-comment-send">
        {t("review.send")}
      </BlockableButton>
      <button type="button" className={buttonStyles.button} onClick={onDone}>
        {t("action.cancel")}
      </button>
    </Form>
  );
}
