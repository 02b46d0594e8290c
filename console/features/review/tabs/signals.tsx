import type { Signal } from "@packhouse/contract/review/inspection";
import { signalLevels } from "@packhouse/contract/review/signals";
import { useTranslation } from "react-i18next";
import textStyles from "../../../ui/styles/text.module.css";
import { keyed } from "../parts/keyed.ts";
import { Level } from "../parts/level.tsx";
import { SignalText } from "../parts/signal-text.tsx";
import styles from "./signals.module.css";

type OpenFile = (file: string) => void;

/** Worst first. Each with where it was found. */
export function SignalList({ signals, onOpen }: { signals: readonly Signal[]; onOpen?: OpenFile }) {
  const worstFirst = [...signals].sort((a, b) => signalLevels.indexOf(b.level) - signalLevels.indexOf(a.level));
  return (
    <ul className={styles.list}>
      {keyed(worstFirst, ({ id, file, line, subject }) => `${id} ${file} ${line} ${subject}`).map(
        ({ key, item: signal }) => (
          <li key={key} className={styles.signal}>
            <Level level={signal.level} />
            <div className={styles.text}>
              <div className={styles.what}>
                <SignalText signal={signal} />
                <span className={styles.id}>{signal.id}</span>
              </div>
              <Evidence signal={signal} {...(onOpen ? { onOpen } : {})} />
            </div>
          </li>
        ),
      )}
    </ul>
  );
}

function Evidence({ signal: { file, line, excerpt }, onOpen }: { signal: Signal; onOpen?: OpenFile }) {
  if (file === null && excerpt === null) return null;
  const place = file === null ? "" : line === null ? file : `${file}:${line}`;
  return (
    <div className={styles.evidence}>
      {file !== null &&
        (onOpen ? (
          <button type="button" className={styles.place} onClick={() => onOpen(file)}>
            {place}
          </button>
        ) : (
          <span>{place}</span>
        ))}
      {excerpt !== null && <code className={styles.excerpt}>{excerpt}</code>}
    </div>
  );
}

/** What was accepted before, or is gone: folded, because it does not count. */
export function OtherSignals({ unchanged, gone }: { unchanged: readonly Signal[]; gone: readonly Signal[] }) {
  const { t } = useTranslation();
  return (
    <>
      {unchanged.length > 0 && (
        <details className={styles.others}>
          <summary>
            {t("review.unchanged", { count: unchanged.length })}{" "}
            <span className={textStyles.muted}>{t("review.unchangedHint")}</span>
          </summary>
          <SignalList signals={unchanged} />
        </details>
      )}
      {gone.length > 0 && (
        <details className={styles.others}>
          <summary>{t("review.gone", { count: gone.length })}</summary>
          <SignalList signals={gone} />
        </details>
      )}
    </>
  );
}
