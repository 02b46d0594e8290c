import { CopyButton } from "./copy-button.tsx";
import styles from "./copyable-code.module.css";

/** Lines to copy; `testId` is the prefix for both parts. Long lines scroll, so they must be reachable by keyboard. */
export function CopyableCode({ text, testId }: { text: string; testId: string }) {
  return (
    <div className={styles.copyable}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region */}
      <pre className={styles.code} tabIndex={0} data-testid={`${testId}-command`}>
        {text}
      </pre>
      <CopyButton text={text} testId={`${testId}-copy`} />
    </div>
  );
}
