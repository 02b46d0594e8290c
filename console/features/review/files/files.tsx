import { markFile } from "@packhouse/contract/operations/review";
import type { FileChange } from "@packhouse/contract/review/comparison";
import { IconChevronLeft } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "../../../api/client.ts";
import { reportFailure } from "../../../calls/report-failure.tsx";
import { siteStorage } from "../../../storage/browser-storage.ts";
import { Checkbox } from "../../../ui/forms/checkbox.tsx";
import { useKeys } from "../../../ui/shortcuts.ts";
import buttonStyles from "../../../ui/styles/button.module.css";
import textStyles from "../../../ui/styles/text.module.css";
import visibilityStyles from "../../../ui/styles/visibility.module.css";
import { useMedia } from "../../../ui/use-media.ts";
import type { ReleaseAddress } from "../data/address.ts";
import type { ReleaseReview } from "../data/queries.ts";
import { DrawnNear } from "../parts/drawn-near.tsx";
import { inParts } from "../parts/in-parts.ts";
import { LineCount } from "../parts/line-count.tsx";
import { FileCard } from "./file-card.tsx";
import { foldersOf } from "./file-order.ts";
import styles from "./files.module.css";
import { Tree } from "./tree.tsx";

interface FilesProps {
  review: ReleaseReview;
  id: number;
  address: ReleaseAddress;
  onAddress(part: Partial<ReleaseAddress>, replace?: boolean): void;
}

const columnsKey = "packhouse.review-columns";
const none: readonly never[] = [];

/** Cards that are drawn together, and the room that one of them needs at least. */
const cardsTogether = 20;
const cardHeight = 160;

/** The files that differ: tree, and one card for each. */
export function Files({ review, id, address, onAddress }: FilesProps) {
  const { t } = useTranslation();
  const { comparison } = review;
  const wide = useMedia("(min-width: 1280px)");
  const narrow = useMedia("(max-width: 959px)");
  const [chosen, setChosen] = useState(() => siteStorage.read(columnsKey));
  const [ignoreWhitespace, setIgnoreWhitespace] = useState(false);
  const [commenting, setCommenting] = useState<string>();
  const { seen, seenBefore, mark } = useMarks(review, id);
  const pane = useRef<HTMLDivElement>(null);
  const files = comparison?.files ?? none;
  // Grouped once, and the same as long as the review is: long differences are drawn again only for what concerns them.
  const signalsByPath = useMemo(() => Map.groupBy(comparison?.signals.fresh ?? [], ({ file }) => file), [comparison]);
  const commentsByPath = useMemo(() => {
    const shown = review.comments.filter(({ submissionId, deleted }) => submissionId === id && !deleted);
    return Map.groupBy(shown, ({ path }) => path);
  }, [review.comments, id]);
  const { folders, generated } = useMemo(() => foldersOf(files), [files]);
  const order = useMemo(() => [...folders.flatMap((folder) => folder.files), ...generated], [folders, generated]);
  const sideBySide = !narrow && (chosen ? chosen === "two" : wide);
  const current = order.find(({ path }) => path === address.file) ?? (narrow ? undefined : order[0]);
  const currentPath = current?.path;
  const isSeen = (file: FileChange) => seen.has(markOf(file));
  const changedSinceSeen = (file: FileChange) => seenBefore.has(file.path) && !isSeen(file);
  const changedCount = order.filter(changedSinceSeen).length;

  const reveal = useCallback((path: string) => {
    const card = pane.current?.querySelector(`[data-path="${CSS.escape(path)}"]`);
    card?.scrollIntoView({ block: "start" });
  }, []);
  const go = (file: FileChange | undefined) => {
    if (!file) return;
    onAddress({ file: file.path }, address.file !== undefined);
    // Once more for one that is current already.
    reveal(file.path);
  };
  // Its card exists once the file is current.
  useEffect(() => {
    if (address.file && files.length > 0) reveal(address.file);
  }, [address.file, files.length, reveal]);
  const step = (by: number) => go(order[order.findIndex(({ path }) => path === currentPath) + by]);
  useKeys((key) => {
    if (key === "n") step(1);
    else if (key === "p") step(-1);
    else if (key === "x" && current) mark(current, !isSeen(current));
    else if (key === "c" && current) setCommenting(current.path);
    else return false;
    return true;
  });
  const choose = (columns: "one" | "two") => {
    siteStorage.write(columnsKey, columns);
    setChosen(columns);
  };
  if (!comparison) return null;
  if (order.length === 0) return <p className={styles.none}>{t("review.noFiles")}</p>;
  const shown = narrow ? (current ? [current] : []) : order;
  return (
    <div className={styles.files} data-testid="review-files">
      <div className={styles.tools}>
        <span>{t("review.seenOf", { seen: order.filter(isSeen).length, total: order.length })}</span>
        {changedCount > 0 && (
          <span className={styles.changed}>{t("review.changedSinceSeen", { count: changedCount })}</span>
        )}
        <LineCount added={comparison.added} removed={comparison.removed} />
        {generated.length > 0 && (
          <span className={styles.wideOnly}>{t("review.generatedFolded", { count: generated.length })}</span>
        )}
        <span className={styles.keys} aria-hidden>
          <kbd className={textStyles.key}>n</kbd>
          <kbd className={textStyles.key}>p</kbd> {t("review.fileKeys")} <kbd className={textStyles.key}>x</kbd>{" "}
          {t("review.seen")} <kbd className={textStyles.key}>c</kbd> {t("review.comment")}
        </span>
        <span className={styles.option}>
          <Checkbox label={t("review.whitespace")} checked={ignoreWhitespace} onChange={setIgnoreWhitespace} />
        </span>
        <fieldset className={styles.columns}>
          <legend className={visibilityStyles.hidden}>{t("review.sideBySide")}</legend>
          {(["two", "one"] as const).map((columns) => (
            <button
              key={columns}
              type="button"
              aria-pressed={sideBySide === (columns === "two")}
              onClick={() => choose(columns)}
              data-testid={`review-columns-${columns}`}
            >
              {t(columns === "two" ? "review.sideBySide" : "review.oneColumn")}
            </button>
          ))}
        </fieldset>
      </div>
      <div className={styles.view}>
        {(!narrow || !current) && (
          <Tree
            folders={folders}
            generated={generated}
            current={currentPath}
            signalsByPath={signalsByPath}
            commentsByPath={commentsByPath}
            isSeen={isSeen}
            changedSinceSeen={changedSinceSeen}
            onMark={mark}
            onOpen={go}
          />
        )}
        {(!narrow || current) && (
          <div className={styles.pane} ref={pane}>
            {narrow && (
              <button
                type="button"
                className={`${buttonStyles.linkButton} ${styles.all}`}
                onClick={() => onAddress({ file: undefined })}
              >
                <IconChevronLeft size={18} aria-hidden /> {t("review.fileList")}
              </button>
            )}
            {inParts(shown, cardsTogether).map((group) => (
              <DrawnNear
                key={group[0]?.path}
                height={group.length * cardHeight}
                now={group.some(({ path }) => path === currentPath)}
              >
                {group.map((file) => (
                  <FileCard
                    key={file.path}
                    file={file}
                    id={id}
                    base={address.base}
                    current={file.path === currentPath}
                    startsOpen={narrow || !(file.generated || isSeen(file)) || file.path === address.file}
                    seen={isSeen(file)}
                    changedSinceSeen={changedSinceSeen(file)}
                    sideBySide={sideBySide}
                    ignoreWhitespace={ignoreWhitespace}
                    signals={signalsByPath.get(file.path) ?? none}
                    comments={commentsByPath.get(file.path) ?? none}
                    commenting={commenting === file.path}
                    onCommenting={(on) => setCommenting(on ? file.path : undefined)}
                    onMark={(on) => mark(file, on)}
                  />
                ))}
              </DrawnNear>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

/** Of a file and its bytes; a removed file has none. */
const markOf = ({ path, sha256 }: Pick<FileChange, "path" | "sha256">): string => `${path} ${sha256 ?? ""}`;

/** The files that the user has seen. A file that changed since has other bytes and loses its mark. */
function useMarks(review: ReleaseReview, id: number) {
  const queries = useQueryClient();
  // Shown at once; the server's answer follows.
  const [own, setOwn] = useState<ReadonlyMap<string, boolean>>(new Map());
  const its = review.marks.filter(({ submissionId }) => submissionId === id);
  const seenBefore = new Set(its.map(({ path }) => path));
  const marked = its.map(markOf);
  const seen = new Set(marked.filter((key) => own.get(key) !== false));
  for (const [key, on] of own) if (on) seen.add(key);
  const mark = async (file: FileChange, on: boolean) => {
    const { path, sha256 } = file;
    const key = markOf(file);
    setOwn((before) => new Map(before).set(key, on));
    try {
      await call(markFile, { id, body: { path, sha256: sha256 ?? "", seen: on } });
      await queries.invalidateQueries({ queryKey: ["review", id] });
    } catch (error) {
      setOwn((before) => new Map(before).set(key, !on));
      reportFailure(error);
    }
  };
  return { seen, seenBefore, mark: (file: FileChange, on: boolean) => void mark(file, on) };
}
