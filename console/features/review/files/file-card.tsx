import { downloadMember } from "@packhouse/contract/operations/inspections";
import type { FileChange } from "@packhouse/contract/review/comparison";
import type { Signal } from "@packhouse/contract/review/inspection";
import { IconChevronDown, IconChevronRight, IconMessagePlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { download } from "../../../api/client.ts";
import { loadFailure } from "../../../api/load-failure.ts";
import { saveBlob } from "../../../api/save-blob.ts";
import { reportFailure } from "../../../calls/report-failure.tsx";
import { formatSize } from "../../../language/i18n.ts";
import { FailedLoad } from "../../../ui/display/failed-load.tsx";
import { Checkbox } from "../../../ui/forms/checkbox.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import loadingStyles from "../../../ui/styles/loading.module.css";
import { diffQuery, type ReleaseReview } from "../data/queries.ts";
import { ChangeMark } from "../parts/change-mark.tsx";
import { Level } from "../parts/level.tsx";
import { LineCount } from "../parts/line-count.tsx";
import { useNearness } from "../parts/nearness.ts";
import { TextButton } from "../parts/text-button.tsx";
import { CommentForm } from "./comment-form.tsx";
import { DiffTable } from "./diff-table.tsx";
import styles from "./file-card.module.css";

/** Larger files are not shown: a browser that draws them stops answering. */
const largestShown = 5_000_000;

export type LineComment = ReleaseReview["comments"][number];

interface FileCardProps {
  file: FileChange;
  id: number;
  base: string | undefined;
  current: boolean;
  startsOpen: boolean;
  seen: boolean;
  /** Whether the user has seen it with other content. */
  changedSinceSeen: boolean;
  sideBySide: boolean;
  ignoreWhitespace: boolean;
  signals: readonly Signal[];
  comments: readonly LineComment[];
  commenting: boolean;
  onCommenting(on: boolean): void;
  onMark(on: boolean): void;
}

/** One file: its header, and its difference below unless it is folded. */
export function FileCard(props: FileCardProps) {
  const { file, id, base, current, startsOpen, seen, changedSinceSeen, signals, commenting, onCommenting, onMark } =
    props;
  const { t } = useTranslation();
  const [open, setOpen] = useState(startsOpen);
  const { element, near } = useNearness<HTMLElement>("600px");
  const size = file.sizeAfter ?? file.sizeBefore ?? 0;
  const isText = file.kind === "text" || file.kind === "empty";
  const isLarge = Math.max(file.sizeAfter ?? 0, file.sizeBefore ?? 0) > largestShown;
  const Chevron = open ? IconChevronDown : IconChevronRight;
  const first = signals[0];
  return (
    <article
      ref={element}
      className={styles.card}
      aria-label={file.path}
      data-path={file.path}
      data-current={current || undefined}
      data-testid={`file-${file.path}`}
    >
      <div className={styles.head}>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={open}
          aria-label={t("review.show", { file: file.path })}
          onClick={() => setOpen(!open)}
        >
          <Chevron size={16} aria-hidden />
        </button>
        <ChangeMark change={file.change} />
        <h3 className={styles.path}>{file.path}</h3>
        {file.generated && <span className={styles.chip}>{t("review.generated")}</span>}
        {changedSinceSeen && <span className={styles.chip}>{t("review.changedSinceSeenFile")}</span>}
        <span className={styles.hint}>
          {file.previousPath !== null
            ? t("review.renamedFrom", { file: file.previousPath })
            : !isText
              ? t("review.notText", { kind: t(`review.kind.${file.kind}`), size: formatSize(size) })
              : isLarge
                ? t("review.tooLarge", { size: formatSize(size) })
                : file.change !== "changed" && t(`review.change.${file.change}`)}
        </span>
        {first && <Level level={first.level} />}
        <span className={styles.end}>
          {(isLarge || !isText) && <Downloads file={file} id={id} base={base} />}
          <LineCount added={file.added} removed={file.removed} />
          <IconButton
            icon={IconMessagePlus}
            label={t("review.commentOnFile", { file: file.path })}
            hint={t("review.comment")}
            onPress={() => {
              setOpen(true);
              onCommenting(!commenting);
            }}
          />
          <span className={styles.seen}>
            <Checkbox
              label={t("review.seen")}
              aria-label={t("review.seenFile", { file: file.path })}
              checked={seen}
              onChange={(checked) => {
                onMark(checked);
                setOpen(!checked);
              }}
            />
          </span>
        </span>
      </div>
      {commenting && <CommentForm id={id} file={file} choosesLine onDone={() => onCommenting(false)} />}
      {open && isText && !isLarge && (near ? <Difference {...props} /> : <div className={styles.waiting} />)}
    </article>
  );
}

function Difference({ file, id, base, sideBySide, ignoreWhitespace, signals, comments }: FileCardProps): ReactNode {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(diffQuery({ id, path: file.path, base, ignoreWhitespace }));
  if (error && !data) return <FailedLoad {...loadFailure(error, t)} onRetry={() => void refetch()} />;
  if (!data)
    return (
      <div className={styles.waiting} aria-busy>
        <span className={loadingStyles.skeleton} style={{ width: "50%" }} />
      </div>
    );
  if (data.state !== "compared")
    return (
      <p className={styles.message}>
        {data.state === "large"
          ? t("review.tooLarge", { size: formatSize(file.sizeAfter ?? file.sizeBefore ?? 0) })
          : t("review.notText", { kind: t("review.kind.other"), size: formatSize(file.sizeAfter ?? 0) })}{" "}
        <Downloads file={file} id={id} base={base} />
      </p>
    );
  if (data.hunks.length === 0) return <p className={styles.message}>{t("review.unchangedText")}</p>;
  return (
    <DiffTable
      // Its gaps are others.
      key={String(ignoreWhitespace)}
      diff={data}
      file={file}
      id={id}
      sideBySide={sideBySide && file.change !== "added" && file.change !== "removed"}
      signals={signals}
      comments={comments}
    />
  );
}

/** What is not shown is downloaded: as it was, and as it is. */
function Downloads({ file, id, base }: Pick<FileCardProps, "file" | "id" | "base">) {
  const { t } = useTranslation();
  const { path, previousPath, sizeBefore, sizeAfter } = file;
  const save = async (side: "before" | "after", its: string) => {
    try {
      const query = { path: its, side, bytes: "true", ...(base === undefined ? {} : { base }) };
      saveBlob(await download(downloadMember, { id, query }), its.split("/").at(-1) ?? its);
    } catch (error) {
      reportFailure(error);
    }
  };
  return (
    <span className={styles.downloads}>
      {sizeBefore !== null && (
        <TextButton onPress={() => void save("before", previousPath ?? path)}>{t("review.downloadBefore")}</TextButton>
      )}
      {sizeAfter !== null && (
        <TextButton onPress={() => void save("after", path)}>{t("review.downloadAfter")}</TextButton>
      )}
    </span>
  );
}
