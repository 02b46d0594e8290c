import { Button, Textarea } from "@mantine/core";
import { offers } from "@packhouse/contract/links";
import {
  IconArrowBackUp,
  IconCheck,
  IconMessage2Question,
  IconMessagePlus,
  IconPencil,
  IconX,
} from "@tabler/icons-react";
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { configuration } from "../../../api/configuration.ts";
import { undo } from "../../../calls/delayed-action.ts";
import { currentLanguage } from "../../../language/i18n.ts";
import { useOwnUser } from "../../../session/use-session.ts";
import { ConfirmDialog } from "../../../ui/dialogs/confirm-dialog.tsx";
import { Avatar } from "../../../ui/display/avatar.tsx";
import { BlockableButton } from "../../../ui/forms/blockable-button.tsx";
import buttonStyles from "../../../ui/styles/button.module.css";
import textStyles from "../../../ui/styles/text.module.css";
import { type DeskDecision, delayKey, useDelayedDecision, useOwnDecision } from "../data/decide.ts";
import { nameOf, type Release, type ReleaseReview } from "../data/queries.ts";
import { useComment } from "../data/use-comment.ts";
import styles from "./foot-bar.module.css";

/** What the keys of the desk do here. */
export interface FootBarKeys {
  decide(decision: DeskDecision): void;
}

interface FootBarProps {
  ref: Ref<FootBarKeys>;
  release: Release;
  review: ReleaseReview | undefined;
  id: number;
  onNext: (() => void) | undefined;
}

/** The decision, and who else may take it. Always at the same place and of the same height. */
export function FootBar({ ref, release, review, id, onNext }: FootBarProps) {
  const { t } = useTranslation();
  const user = useOwnUser();
  const [note, setNote] = useState("");
  const [asking, setAsking] = useState<DeskDecision>();
  const decideLater = useDelayedDecision();
  const { label, delayed } = useOwnDecision(release);
  const bar = useRef<HTMLDivElement>(null);
  const mayDecide = offers(release, "decision");
  const waiting = review?.state === "WAITING";
  const missing = review?.checks.missing ?? [];
  const decide = (decision: DeskDecision) => {
    if (!waiting || !mayDecide || label !== undefined) return;
    const needsText = decision !== "ACCEPTED" || missing.length > 0;
    if ((needsText && note.trim() === "") || configuration().undoSeconds === 0) setAsking(decision);
    else decideWith(decision, note);
  };
  const decideWith = (decision: DeskDecision, reason: string) => {
    setAsking(undefined);
    decideLater(release, decision, reason.trim());
  };
  useImperativeHandle(ref, () => ({ decide }));
  // The note stays until it has arrived: the decision may be undone, or come too late.
  const last = review?.decisions[0];
  useEffect(() => {
    if (last?.user.id === user.id) setNote((text) => (text.trim() === last.reason ? "" : text));
  }, [last, user.id]);
  // What was pressed is gone now. At the end of the bar is what comes next: the next release, or after Undo the decision.
  const wasDelayed = useRef(false);
  useEffect(() => {
    const isUndone = wasDelayed.current && label === undefined && document.activeElement === document.body;
    wasDelayed.current = delayed;
    if (delayed || isUndone) [...(bar.current?.querySelectorAll("button") ?? [])].at(-1)?.focus();
  }, [delayed, label]);

  const remark = (
    <>
      <Note value={note} onValue={setNote} />
      <SendComment id={id} text={note} onDone={() => setNote("")} />
    </>
  );
  const content = () => {
    if (label !== undefined)
      return (
        <>
          <span className={styles.running}>
            <IconCheck size={18} className={textStyles.good} aria-hidden />
            <b>{label}</b> {delayed && <Seconds />}
          </span>
          {delayed && (
            <button
              type="button"
              className={buttonStyles.button}
              onClick={() => undo(delayKey(release))}
              aria-keyshortcuts="u"
              data-testid="undo"
            >
              <IconArrowBackUp size={18} aria-hidden /> {t("action.undo")}{" "}
              <kbd aria-hidden className={textStyles.key}>
                u
              </kbd>
            </button>
          )}
          <NextButton onNext={onNext} />
        </>
      );
    if (!review) return <span className={styles.running}>{t("list.loading")}</span>;
    if (!waiting)
      return (
        <>
          {remark}
          <NextButton onNext={onNext} />
        </>
      );
    if (!mayDecide)
      return (
        <>
          <span className={styles.others}>
            {t(release.submitter.id === user.id ? "review.ownRelease" : "review.mayNotDecide")}
          </span>
          {remark}
        </>
      );
    return (
      <>
        <Others review={review} />
        <Note value={note} onValue={setNote} />
        <button
          type="button"
          className={`${buttonStyles.button} ${styles.choice}`}
          data-danger
          onClick={() => decide("REJECTED")}
          aria-keyshortcuts="r"
          data-testid="review-reject"
        >
          <IconX size={18} aria-hidden /> {t("action.reject")}{" "}
          <kbd aria-hidden className={textStyles.key}>
            r
          </kbd>
        </button>
        <button
          type="button"
          className={`${buttonStyles.button} ${styles.choice}`}
          onClick={() => decide("CHANGES")}
          aria-keyshortcuts="."
          data-testid="review-changes"
        >
          <IconMessage2Question size={18} className={textStyles.warn} aria-hidden /> {t("review.askForChanges")}{" "}
          <kbd aria-hidden className={textStyles.key}>
            .
          </kbd>
        </button>
        <Button
          leftSection={<IconCheck size={18} aria-hidden />}
          onClick={() => decide("ACCEPTED")}
          className={styles.accept}
          aria-keyshortcuts="a"
          data-testid="review-accept"
        >
          {t("action.accept")}{" "}
          <kbd aria-hidden className={styles.acceptKey}>
            a
          </kbd>
        </Button>
      </>
    );
  };
  return (
    <div ref={bar} className={styles.foot} data-testid="review-foot">
      {content()}
      {asking && waiting && (
        <ReasonDialog
          name={nameOf(release)}
          decision={asking}
          missing={asking === "ACCEPTED" ? missing : []}
          reason={note}
          onReason={setNote}
          onClose={() => setAsking(undefined)}
          onDone={() => decideWith(asking, note)}
        />
      )}
    </div>
  );
}

/** How long the decision can still be undone. */
function Seconds() {
  const { t } = useTranslation();
  const [left, setLeft] = useState(configuration().undoSeconds);
  useEffect(() => {
    const timer = setInterval(() => setLeft((before) => Math.max(before - 1, 0)), 1000);
    return () => clearInterval(timer);
  }, []);
  // Read out once: a new sentence each second would drown everything else.
  return <span aria-hidden>{t("review.inSeconds", { seconds: left })}</span>;
}

function Others({ review: { mayDecide } }: { review: ReleaseReview }) {
  const { t } = useTranslation();
  const first = mayDecide.slice(0, 2);
  const names = first.map(({ name }) => name);
  const listed = new Intl.ListFormat(currentLanguage()).format(names);
  const more = mayDecide.length - names.length;
  return (
    <span className={styles.others}>
      {first.map(({ id, name }) => (
        <Avatar key={id} name={name} />
      ))}
      <span>
        {names.length === 0
          ? t("review.noOthers")
          : t("review.others", {
              count: mayDecide.length,
              names: more > 0 ? t("review.othersMore", { names: names.join(", "), count: more }) : listed,
            })}
      </span>
    </span>
  );
}

/** Where there is little room, the field opens on demand. */
function Note({ value, onValue }: { value: string; onValue(value: string): void }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={`${buttonStyles.button} ${styles.noteToggle}`}
        aria-label={t("review.yourNote")}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        data-testid="review-note-open"
      >
        <IconPencil size={18} aria-hidden />
      </button>
      <Textarea
        aria-label={t("review.yourNote")}
        placeholder={t("review.yourNote")}
        className={`${styles.note} ${open ? styles.noteOpen : ""}`}
        rows={1}
        value={value}
        onChange={(event) => onValue(event.currentTarget.value)}
        data-testid="review-note"
      />
    </>
  );
}

function NextButton({ onNext }: { onNext: (() => void) | undefined }) {
  const { t } = useTranslation();
  if (!onNext) return null;
  return (
    <Button onClick={onNext} aria-keyshortcuts="j" data-testid="review-next">
      {t("review.next")}{" "}
      <kbd aria-hidden className={styles.acceptKey}>
        j
      </kbd>
    </Button>
  );
}

function SendComment({ id, text, onDone }: { id: number; text: string; onDone(): void }) {
  const { t } = useTranslation();
  const { busy, blocked, change } = useComment(id, { text }, onDone);
  return (
    <BlockableButton
      variant="default"
      loading={busy}
      blocked={blocked}
      onClick={change}
      leftSection={<IconMessagePlus size={18} aria-hidden />}
      data-testid="review-send-comment"
    >
      {t("review.sendAsComment")}
    </BlockableButton>
  );
}

interface ReasonDialogProps {
  name: string;
  decision: DeskDecision;
  /** Required checks that have not passed. */
  missing: readonly string[];
  /** The note: what is typed here stays there if the dialog closes. */
  reason: string;
  onReason(reason: string): void;
  onClose(): void;
  onDone(): void;
}

/** Asks for what the submitter should know. A rejection may go without. */
function ReasonDialog({ name, decision, missing, reason, onReason, onClose, onDone }: ReasonDialogProps) {
  const { t } = useTranslation();
  const required = decision === "CHANGES" || missing.length > 0;
  return (
    <ConfirmDialog
      kind="review-reason"
      title={t(`review.ask.${decision}`, { name })}
      verb={
        decision === "CHANGES"
          ? t("review.askForChanges")
          : t(decision === "ACCEPTED" ? "action.accept" : "action.reject")
      }
      danger={decision === "REJECTED"}
      blocked={required && reason.trim() === "" ? t("review.reasonRequired") : undefined}
      onConfirm={onDone}
      onClose={onClose}
    >
      {missing.length > 0 && <p>{t("review.missingChecks", { names: missing.join(", ") })}</p>}
      {(decision !== "ACCEPTED" || missing.length > 0) && (
        <Textarea
          label={t(`review.reason.${decision}`)}
          autosize
          minRows={3}
          maxRows={12}
          value={reason}
          onChange={(event) => onReason(event.currentTarget.value)}
          data-testid="review-reason-field"
        />
      )}
    </ConfirmDialog>
  );
}
