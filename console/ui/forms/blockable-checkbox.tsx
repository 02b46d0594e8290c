import { Checkbox, type CheckboxProps } from "@mantine/core";
import { useId } from "react";
import { explainedBy } from "../hint.tsx";
import visibilityStyles from "../styles/visibility.module.css";

interface BlockableCheckboxProps extends Omit<CheckboxProps, "disabled" | "readOnly" | "onChange"> {
  /** Why it cannot be switched now; then it stays focusable and shows the reason. */
  blocked: string | undefined;
  /** What it does, for the hint while it can be switched. */
  hint?: string;
  onChange(checked: boolean): void;
}

/** A checkbox that says why it is disabled. */
export function BlockableCheckbox({ blocked, hint, onChange, ...others }: BlockableCheckboxProps) {
  const reasonId = useId();
  const isBlocked = blocked !== undefined;
  return (
    <>
      <Checkbox
        readOnly={isBlocked}
        onChange={(event) => !isBlocked && onChange(event.currentTarget.checked)}
        {...(isBlocked
          ? {
              "aria-disabled": true,
              "aria-describedby": reasonId,
              styles: { input: { opacity: 0.55, cursor: "not-allowed" } },
            }
          : {})}
        {...explainedBy(blocked ?? hint)}
        {...others}
      />
      {isBlocked && (
        <span id={reasonId} className={visibilityStyles.hidden}>
          {blocked}
        </span>
      )}
    </>
  );
}
