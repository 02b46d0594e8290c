import type { DiffLine, FileChange, FileDiff } from "@packhouse/contract/review/comparison";
import type { Signal } from "@packhouse/contract/review/inspection";
import { IconArrowDown, IconArrowsVertical, IconArrowUp } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Fragment, memo, type ReactNode, useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../../language/i18n.ts";
import visibilityStyles from "../../../ui/styles/visibility.module.css";
import { textQuery } from "../data/queries.ts";
import { inParts } from "../parts/in-parts.ts";
import { Level } from "../parts/level.tsx";
import { useNearness } from "../parts/nearness.ts";
import { SignalText } from "../parts/signal-text.tsx";
import { CommentForm } from "./comment-form.tsx";
import { CommentView } from "./comment-view.tsx";
import styles from "./diff-table.module.css";
import type { LineComment } from "./file-card.tsx";
import { type Entry, entriesOf, inOneColumn, type Piece, piecesOf } from "./lines.ts";
import { type Gap, linesOf, type Opened, type OpenedGaps, opensAtOnce, type Run, runsOf, textLines } from "./runs.ts";

/** Rows that are drawn together when they come close to what is visible. */
const rowsTogether = 120;
const rowHeight = 20;
/** Coloring more would hold up the page. */
const mostColored = 400_000;

type Side = "before" | "after";
type OnOpenGap = (index: number, opened: Opened) => void;

interface DiffTableProps {
  diff: FileDiff;
  file: FileChange;
  id: number;
  sideBySide: boolean;
  signals: readonly Signal[];
  comments: readonly LineComment[];
}

/** The difference of a text, with signals and comments below their lines. Drawn as it scrolls into view. */
export function DiffTable(props: DiffTableProps) {
  const { diff, file, id, sideBySide, comments } = props;
  const { t } = useTranslation();
  const [opened, setOpened] = useState<OpenedGaps>(new Map());
  const { data: text } = useQuery({
    ...textQuery(id, file.path),
    enabled: opened.size > 0,
    select: textLines,
  });
  const runs = useMemo(() => runsOf(diff, opened, text), [diff, opened, text]);
  const openGap = useCallback(
    (index: number, { above, below }: Opened) =>
      setOpened((before) => {
        const already = before.get(index) ?? { above: 0, below: 0 };
        return new Map(before).set(index, { above: already.above + above, below: already.below + below });
      }),
    [],
  );
  const stretches = useMemo(() => {
    const both = entriesOf(runs);
    return inStretches(sideBySide ? both : inOneColumn(both));
  }, [runs, sideBySide]);
  const pieces = usePieces(runs, file.path);
  const shownLines = useMemo(
    () =>
      new Set(runs.flatMap(({ lines = [] }) => lines.flatMap((line) => [keyOf(line, "before"), keyOf(line, "after")]))),
    [runs],
  );
  const elsewhere = comments.filter(({ line, side }) => line === null || !shownLines.has(`${side ?? "after"} ${line}`));
  return (
    <>
      {elsewhere.map((comment) => (
        <div key={comment.id} className={styles.elsewhere}>
          <CommentView comment={comment} sha256={file.sha256} />
        </div>
      ))}
      <table className={styles.table} data-two={sideBySide || undefined}>
        <caption className={visibilityStyles.hidden}>{t("review.differences", { file: file.path })}</caption>
        <colgroup>
          <col className={styles.numberColumn} />
          <col className={styles.signColumn} />
          <col />
          {sideBySide && (
            <>
              <col className={styles.numberColumn} />
              <col className={styles.signColumn} />
              <col />
            </>
          )}
        </colgroup>
        {stretches.map(({ start, entries }) => (
          <Stretch
            key={start}
            entries={entries}
            pieces={pieces}
            startsDrawn={start === 0}
            onOpenGap={openGap}
            {...props}
          />
        ))}
      </table>
    </>
  );
}

/** Entries that are drawn together, each time with the place of the first one. */
const inStretches = (entries: readonly Entry[]): { start: number; entries: readonly Entry[] }[] =>
  inParts(entries, rowsTogether).map((part, index) => ({ start: index * rowsTogether, entries: part }));

const keyOf = (line: DiffLine, side: Side): string => `${side} ${line[side]}`;

/** Marks at once, colors once the highlighter has loaded. */
function usePieces(runs: readonly Run[], path: string): ReadonlyMap<DiffLine, readonly Piece[]> {
  const { data: highlighter } = useQuery({
    queryKey: ["highlighter"],
    queryFn: () => import("../../../ui/prose/color-code.ts"),
    staleTime: Number.POSITIVE_INFINITY,
    // Without colors, the text is still there.
    meta: { shownInPlace: true },
  });
  return useMemo(() => {
    const lines = runs.flatMap((run) => (run.lines ? [run.lines] : []));
    const length = lines
      .flat()
      .reduce((sum, { parts }) => sum + parts.reduce((all, { text }) => all + text.length, 0), 0);
    const tokensOf = (text: string) =>
      highlighter && length <= mostColored ? highlighter.tokensOf(text, path) : [{ text, kind: undefined }];
    return new Map(lines.flatMap((run) => [...piecesOf(run, tokensOf)]));
  }, [runs, path, highlighter]);
}

interface StretchProps extends DiffTableProps {
  entries: readonly Entry[];
  pieces: ReadonlyMap<DiffLine, readonly Piece[]>;
  startsDrawn: boolean;
  onOpenGap: OnOpenGap;
}

const Stretch = memo(function Stretch({ entries, pieces, startsDrawn, onOpenGap, ...props }: StretchProps) {
  const { diff, sideBySide, signals, comments, file, id } = props;
  const { element: body, near } = useNearness<HTMLTableSectionElement>("800px", startsDrawn);
  const [commented, setCommented] = useState<{ line: number; side: Side }>();
  const width = sideBySide ? 6 : 3;
  if (!near)
    return (
      <tbody ref={body}>
        <tr>
          <td colSpan={width} style={{ height: entries.length * rowHeight }} />
        </tr>
      </tbody>
    );
  const comment = (line: number, side: Side) => setCommented({ line, side });
  return (
    <tbody ref={body}>
      {entries.map((entry) => {
        if (entry.gap)
          return (
            <tr key={`gap ${entry.gap.index}`} className={styles.gap}>
              <td colSpan={width}>
                <GapButtons gap={entry.gap} last={entry.gap.to === diff.linesAfter} onOpenGap={onOpenGap} />
              </td>
            </tr>
          );
        const { before, after } = entry.row;
        const sides: Side[] =
          before === after || !before || !after ? [after ? "after" : "before"] : ["before", "after"];
        const below = sides.map((side) => {
          const line = (side === "before" ? before : after)?.[side] ?? null;
          return {
            side,
            line,
            signals: side === "after" && line !== null ? signals.filter((signal) => signal.line === line) : [],
            comments: comments.filter((one) => line !== null && one.line === line && (one.side ?? "after") === side),
          };
        });
        const cells = (side: Side) => (
          <SideCells
            line={side === "before" ? before : after}
            side={side}
            file={file.path}
            pieces={pieces}
            onComment={comment}
          />
        );
        return (
          <Fragment key={`${before?.before ?? ""} ${after?.after ?? ""} ${before?.kind}`}>
            <tr>
              {sideBySide ? (
                <>
                  {cells("before")}
                  {cells("after")}
                </>
              ) : (
                cells(after ? "after" : "before")
              )}
            </tr>
            {below.map(({ side, line, ...its }) => {
              const form = line !== null && commented?.line === line && commented.side === side;
              if (its.signals.length + its.comments.length === 0 && !form) return null;
              return (
                <tr key={side}>
                  {sideBySide && side === "after" && <td colSpan={3} className={styles.empty} />}
                  <td colSpan={3} className={styles.below}>
                    {its.signals.map((signal) => (
                      <div key={`${signal.id} ${signal.subject}`} className={styles.signal}>
                        <Level level={signal.level} /> <SignalText signal={signal} />
                      </div>
                    ))}
                    {its.comments.map((one) => (
                      <CommentView key={one.id} comment={one} sha256={file.sha256} />
                    ))}
                    {form && (
                      <CommentForm id={id} file={file} line={line} side={side} onDone={() => setCommented(undefined)} />
                    )}
                  </td>
                  {sideBySide && side === "before" && <td colSpan={3} className={styles.empty} />}
                </tr>
              );
            })}
          </Fragment>
        );
      })}
    </tbody>
  );
});

interface GapButtonsProps {
  gap: Gap;
  /** Whether it ends the file. */
  last: boolean;
  onOpenGap: OnOpenGap;
}

/** Shows lines that are the same: those next to what is shown above or below, or all. */
function GapButtons({ gap, last, onOpenGap }: GapButtonsProps) {
  const { t } = useTranslation();
  const { index, from, to } = gap;
  const count = linesOf(gap);
  const button = (icon: ReactNode, label: string, opened: Opened) => (
    <button type="button" className={styles.open} onClick={() => onOpenGap(index, opened)}>
      {icon}
      {label}
    </button>
  );
  const all = { above: count, below: 0 };
  if (count === 1) return button(<IconArrowsVertical {...gapIcon} />, t("review.showAll", { count }), all);
  if (count <= opensAtOnce)
    return button(<IconArrowsVertical {...gapIcon} />, t("review.showLines", { from, to }), all);
  return (
    <>
      {from > 1 &&
        button(<IconArrowDown {...gapIcon} />, t("review.showLines", { from, to: from + opensAtOnce - 1 }), {
          above: opensAtOnce,
          below: 0,
        })}
      {!last &&
        button(<IconArrowUp {...gapIcon} />, t("review.showLines", { from: to - opensAtOnce + 1, to }), {
          above: 0,
          below: opensAtOnce,
        })}
      {button(<IconArrowsVertical {...gapIcon} />, t("review.showAll", { count, formatted: formatNumber(count) }), all)}
    </>
  );
}

const gapIcon = { size: 14, "aria-hidden": true } as const;

interface SideCellsProps {
  line: DiffLine | undefined;
  side: Side;
  file: string;
  pieces: ReadonlyMap<DiffLine, readonly Piece[]>;
  onComment(line: number, side: Side): void;
}

const signs = { added: "+", removed: "−" } as const;

/** Number, sign and text of one side. A press on the number comments on the line. */
function SideCells({ line, side, file, pieces, onComment }: SideCellsProps) {
  const { t } = useTranslation();
  if (!line)
    return (
      <>
        <td className={styles.empty} />
        <td className={styles.empty} />
        <td className={styles.empty} />
      </>
    );
  const number = line[side];
  return (
    <>
      <td className={styles.number} data-kind={line.kind} data-side={side}>
        {number !== null && (
          <button
            type="button"
            // Every line would be a stop; `c` comments by keyboard, with a field for the line.
            tabIndex={-1}
            aria-label={t("review.commentOn", { line: number, file })}
            onClick={() => onComment(number, side)}
          >
            {number}
          </button>
        )}
      </td>
      <td className={styles.sign} data-kind={line.kind}>
        {line.kind !== "same" && (
          <>
            <span aria-hidden>{signs[line.kind]}</span>
            <span className={visibilityStyles.hidden}>{t(`review.change.${line.kind}`)}</span>
          </>
        )}
      </td>
      <td className={styles.code} data-kind={line.kind}>
        {(pieces.get(line) ?? []).map((piece) => (
          <PieceView key={piece.start} piece={piece} removed={line.kind === "removed"} />
        ))}
      </td>
    </>
  );
}

function PieceView({ piece: { text, changed, kind }, removed }: { piece: Piece; removed: boolean }) {
  const code = (
    <span className={styles.piece} data-code={kind}>
      {text}
    </span>
  );
  if (!changed) return kind ? code : text;
  return removed ? <del className={styles.mark}>{code}</del> : <ins className={styles.mark}>{code}</ins>;
}
