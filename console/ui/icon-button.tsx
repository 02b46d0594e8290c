import type { Icon } from "@tabler/icons-react";
import { type MouseEvent, useId } from "react";
import { explainedBy } from "./hint.tsx";
import buttonStyles from "./styles/button.module.css";

interface IconButtonProps {
  icon: Icon;
  /** Its accessible name; also the tooltip unless it is disabled for a reason. */
  label: string;
  /** Shorter than the name, for the tooltip. */
  hint?: string;
  /** Why it is disabled now; then it stays focusable and shows the reason. */
  blocked?: string | undefined;
  danger?: boolean;
  /** Keyboard shortcut, shown in the tooltip. */
  shortcut?: string | undefined;
  testId?: string;
  /** Its column in the grid. */
  column?: number;
  onPress(): void;
}

export function IconButton({
  icon: Icon,
  label,
  hint,
  blocked,
  danger = false,
  shortcut,
  testId,
  column,
  onPress,
}: IconButtonProps) {
  const reasonId = useId();
  const press = (event: MouseEvent) => {
    event.stopPropagation();
    if (!blocked) onPress();
  };
  return (
    <button
      type="button"
      className={buttonStyles.iconButton}
      aria-label={label}
      aria-keyshortcuts={shortcut}
      aria-disabled={blocked ? true : undefined}
      aria-describedby={blocked ? reasonId : undefined}
      data-danger={danger || undefined}
      data-testid={testId}
      style={column ? { gridColumn: column } : undefined}
      {...explainedBy(blocked ?? (shortcut ? `${hint ?? label} (${shortcut})` : (hint ?? label)))}
      onClick={press}
    >
      <Icon size={18} stroke={1.75} aria-hidden />
      {blocked && (
        <span id={reasonId} hidden>
          {blocked}
        </span>
      )}
    </button>
  );
}
