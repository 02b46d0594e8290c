import type { FileChange } from "@packhouse/contract/review/comparison";
import type { Signal } from "@packhouse/contract/review/inspection";
import { signalLevels } from "@packhouse/contract/review/signals";
import { IconEyeExclamation, IconMessage } from "@tabler/icons-react";
import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Checkbox } from "../../../ui/forms/checkbox.tsx";
import { ChangeMark } from "../parts/change-mark.tsx";
import { DrawnNear } from "../parts/drawn-near.tsx";
import { Level } from "../parts/level.tsx";
import { LineCount } from "../parts/line-count.tsx";
import { type Folder, partsOf, type TreePart } from "./file-order.ts";
import styles from "./tree.module.css";

interface TreeProps {
  folders: readonly Folder[];
  generated: readonly FileChange[];
  current: string | undefined;
  signalsByPath: ReadonlyMap<string | null, readonly Signal[]>;
  commentsByPath: ReadonlyMap<string | null, readonly unknown[]>;
  isSeen(file: FileChange): boolean;
  changedSinceSeen(file: FileChange): boolean;
  onMark(file: FileChange, on: boolean): void;
  onOpen(file: FileChange): void;
}

/** The changed files by folder, each with its mark, its signals, its comments and its size. */
export function Tree(props: TreeProps) {
  const { folders, generated, current } = props;
  const { t } = useTranslation();
  const nav = useRef<HTMLElement>(null);
  const parts = useMemo(() => partsOf(folders), [folders]);
  const generatedParts = useMemo(() => partsOf([{ name: "", files: [...generated] }]), [generated]);
  useEffect(() => {
    if (current !== undefined) nav.current?.querySelector("[data-current]")?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <nav ref={nav} className={styles.tree} aria-label={t("review.fileList")}>
      <TreeParts {...props} parts={parts} />
      {generated.length > 0 && (
        <details className={styles.generated} open={generated.some(({ path }) => path === current)}>
          <summary>
            {generated.length} {t("review.generated")}
          </summary>
          <TreeParts {...props} parts={generatedParts} />
        </details>
      )}
    </nav>
  );
}

const leafHeight = 28;

function TreeParts(props: TreeProps & { parts: readonly TreePart[] }) {
  const { parts, current } = props;
  return parts.map((part) => {
    const files = part.flatMap((slice) => slice.files);
    return (
      <DrawnNear
        key={files[0]?.path}
        height={(files.length + part.length) * leafHeight}
        now={files.some(({ path }) => path === current)}
      >
        {part.map(({ folder, isFirst, files: its }) => (
          <div key={folder}>
            {isFirst && folder !== "" && <div className={styles.folder}>{folder}</div>}
            <ul className={styles.list} data-nested={folder !== "" || undefined}>
              {its.map((file) => (
                <Leaf key={file.path} {...props} file={file} label={file.path.slice(folder.length)} />
              ))}
            </ul>
          </div>
        ))}
      </DrawnNear>
    );
  });
}

function Leaf(props: TreeProps & { file: FileChange; label: string }) {
  const { file, label, current, signalsByPath, commentsByPath, isSeen, changedSinceSeen, onMark, onOpen } = props;
  const { t } = useTranslation();
  const level = signalLevels.findLast((one) => signalsByPath.get(file.path)?.some((signal) => signal.level === one));
  const talk = commentsByPath.get(file.path)?.length ?? 0;
  const seen = isSeen(file);
  return (
    <li
      className={styles.leaf}
      data-current={file.path === current || undefined}
      data-seen={seen || undefined}
      data-gone={file.change === "removed" || undefined}
    >
      <span className={styles.box}>
        <Checkbox
          aria-label={t("review.seenFile", { file: file.path })}
          checked={seen}
          onChange={(checked) => onMark(file, checked)}
        />
      </span>
      <ChangeMark change={file.change} />
      <button
        type="button"
        className={styles.name}
        title={file.path}
        aria-current={file.path === current || undefined}
        onClick={() => onOpen(file)}
      >
        {label}
      </button>
      <span className={styles.end}>
        {changedSinceSeen(file) && (
          <IconEyeExclamation size={14} role="img" aria-label={t("review.changedSinceSeenFile")} />
        )}
        {level && <Level level={level} quiet />}
        {talk > 0 && (
          <span className={styles.talk}>
            <IconMessage size={14} role="img" aria-label={t("review.tab.conversation")} /> {talk}
          </span>
        )}
        <LineCount added={file.added} removed={file.removed} />
      </span>
    </li>
  );
}
