import { formatNumber } from "../../../language/i18n.ts";
import styles from "./line-count.module.css";

/** `+108 −40`. */
export function LineCount({ added, removed }: { added: number | null; removed: number | null }) {
  if (!added && !removed) return null;
  return (
    <span className={styles.count}>
      {added ? <span className={styles.added}>{`+${formatNumber(added)}`}</span> : null}
      {added && removed ? " " : null}
      {removed ? <span className={styles.removed}>{`−${formatNumber(removed)}`}</span> : null}
    </span>
  );
}
