import { type InputHTMLAttributes, useId } from "react";
import { explainedBy } from "../hint.tsx";
import visibilityStyles from "../styles/visibility.module.css";
import styles from "./checkbox.module.css";

interface CheckboxProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, "id" | "type" | "disabled" | "readOnly" | "onChange"> {
  checked: boolean;
  /** Some of what it stands for is checked. */
  indeterminate?: boolean;
  label?: string;
  /** The label is shown on phones only, where no header explains it. */
  labelIsNarrow?: boolean;
  /** Why it cannot be switched now; then it stays focusable and shows the reason. */
  blocked?: string | undefined;
  /** What it does, for the hint while it can be switched. */
  hint?: string;
  onChange(checked: boolean): void;
}

/** A checkbox, which says why it is disabled. Lists have hundreds of them, so it consists of little. */
export function Checkbox({
  checked,
  indeterminate = false,
  label,
  labelIsNarrow = false,
  blocked,
  hint,
  onChange,
  ...others
}: CheckboxProps) {
  const id = useId();
  const reasonId = `${id}-reason`;
  const isBlocked = blocked !== undefined;
  const box = (
    <span className={styles.box}>
      <input
        id={id}
        type="checkbox"
        checked={checked}
        ref={(input) => {
          if (input) input.indeterminate = indeterminate;
        }}
        data-on={checked || indeterminate || undefined}
        readOnly={isBlocked}
        onChange={(event) => !isBlocked && onChange(event.currentTarget.checked)}
        {...(isBlocked ? { "aria-disabled": true, "aria-describedby": reasonId } : {})}
        {...explainedBy(blocked ?? hint)}
        {...others}
      />
      {(checked || indeterminate) && (
        <svg className={styles.mark} viewBox="0 0 10 10" aria-hidden>
          <path
            d={indeterminate ? "M1.5 5h7" : "M1.5 5.5 4 8l4.5-6"}
            fill="none"
            stroke="currentColor"
            strokeWidth="1.75"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </svg>
      )}
      {isBlocked && (
        <span id={reasonId} hidden>
          {blocked}
        </span>
      )}
    </span>
  );
  if (label === undefined) return box;
  return (
    <label className={styles.whole} htmlFor={id}>
      {box}
      <span className={labelIsNarrow ? visibilityStyles.narrowOnly : undefined}>{label}</span>
    </label>
  );
}
