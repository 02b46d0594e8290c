import type { DiffLine, FileChange, FileDiff } from "@packhouse/contract/review/comparison";
import type { Signal } from "@packhouse/contract/review/inspection";
import { useQuery } from "@tanstack/react-query";
import { Fragment, memo, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import visibilityStyles from "../../../ui/styles/visibility.module.css";
import { Level } from "../parts/level.tsx";
import { useNearness } from "../parts/nearness.ts";
import { SignalText } from "../parts/signal-text.tsx";
import { CommentForm } from "./comment-form.tsx";
import { CommentView } from "./comment-view.tsx";
import styles from "./diff-table.module.css";
import type { LineComment } from "./file-card.tsx";
import { type Entry, entriesOf, inOneColumn, type Piece, piecesOf } from "./lines.ts";

/** Rows that are drawn together when they come close to what is visible. */
const rowsTogether = 120;
const rowHeight = 20;
/** Coloring more would hold up the page. */
const mostColored = 400_000;

type Side = "before" | "after";

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
  const { diff, file, sideBySide, comments } = props;
  const { t } = useTranslation();
  const stretches = useMemo(() => {
    const both = entriesOf(diff);
    return inStretches(sideBySide ? both : inOneColumn(both));
  }, [diff, sideBySide]);
  const pieces = usePieces(diff, file.path);
  const shownLines = useMemo(
    () =>
      new Set(
        diff.hunks.flatMap(({ lines }) => lines.flatMap((line) => [keyOf(line, "before"), keyOf(line, "after")])),
      ),
    [diff],
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
          <Stretch key={start} entries={entries} pieces={pieces} startsDrawn={start === 0} {...props} />
        ))}
      </table>
    </>
  );
}

/** Entries that are drawn together, each time with the place of the first one. */
const inStretches = (entries: readonly Entry[]): { start: number; entries: readonly Entry[] }[] =>
  Array.from({ length: Math.ceil(entries.length / rowsTogether) }, (_, index) => {
    const start = index * rowsTogether;
    return { start, entries: entries.slice(start, start + rowsTogether) };
  });

const keyOf = (line: DiffLine, side: Side): string => `${side} ${line[side]}`;

/** Marks at once, colors once the highlighter has loaded. */
function usePieces(diff: FileDiff, path: string): ReadonlyMap<DiffLine, readonly Piece[]> {
  const { data: highlighter } = useQuery({
    queryKey: ["highlighter"],
    queryFn: () => import("../../../ui/prose/color-code.ts"),
    staleTime: Number.POSITIVE_INFINITY,
    // Without colors, the text is still there.
    meta: { shownInPlace: true },
  });
  return useMemo(() => {
    const lines = diff.hunks.map((hunk) => hunk.lines);
    const length = lines
      .flat()
      .reduce((sum, { parts }) => sum + parts.reduce((all, { text }) => all + text.length, 0), 0);
    const tokensOf = (text: string) =>
      highlighter && length <= mostColored ? highlighter.tokensOf(text, path) : [{ text, kind: undefined }];
    return new Map(lines.flatMap((hunk) => [...piecesOf(hunk, tokensOf)]));
  }, [diff, path, highlighter]);
}

interface StretchProps extends DiffTableProps {
  entries: readonly Entry[];
  pieces: ReadonlyMap<DiffLine, readonly Piece[]>;
  startsDrawn: boolean;
}

const Stretch = memo(function Stretch({ entries, pieces, startsDrawn, ...props }: StretchProps) {
  const { t } = useTranslation();
  const { sideBySide, signals, comments, file, id } = props;
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
            <tr key={`gap ${entry.gap.from}`} className={styles.gap}>
              <td colSpan={width}>{t("review.hidden", { from: entry.gap.from, to: entry.gap.to })}</td>
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

interface SideCellsProps {
  line: DiffLine | undefined;
  side: Side;
  file: string;
  pieces: ReadonlyMap<DiffLine, readonly Piece[]>;
  onComment(line: number, side: Side): void;
}

const signs = { added: "+", removed: "−", same: "" } as const;

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
        {signs[line.kind]}
      </td>
      <td className={styles.code} data-kind={line.kind}>
        {(pieces.get(line) ?? line.parts.map((part) => ({ ...part, kind: undefined }))).map((piece, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name
          <PieceView key={index} piece={piece} removed={line.kind === "removed"} />
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
