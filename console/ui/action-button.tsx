import type { Icon } from "@tabler/icons-react";
import { type ReactNode, useId } from "react";
import { explainedBy } from "./hint.tsx";
import buttonStyles from "./styles/button.module.css";

interface ActionButtonProps {
  icon: Icon;
  children: ReactNode;
  /** Why it is disabled now; then it stays focusable and shows the reason. */
  blocked?: string | undefined;
  danger?: boolean;
  testId?: string;
  onPress(): void;
}

/** A button in a page's header: icon and verb. */
export function ActionButton({ icon: Icon, children, blocked, danger = false, testId, onPress }: ActionButtonProps) {
  const reasonId = useId();
  return (
    <button
      type="button"
      className={buttonStyles.button}
      aria-disabled={blocked ? true : undefined}
      aria-describedby={blocked ? reasonId : undefined}
      data-danger={danger || undefined}
      data-testid={testId}
      {...explainedBy(blocked)}
      onClick={() => {
        if (!blocked) onPress();
      }}
    >
      <Icon size={18} stroke={1.75} aria-hidden />
      {children}
      {blocked && (
        <span id={reasonId} hidden>
          {blocked}
        </span>
      )}
    </button>
  );
}
