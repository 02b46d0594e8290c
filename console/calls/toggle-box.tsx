import { useTranslation } from "react-i18next";
import { BlockableCheckbox } from "../ui/forms/blockable-checkbox.tsx";
import { useChange } from "./use-change.ts";

interface ToggleBoxProps {
  checked: boolean;
  /** What a click would do: "Deactivate". */
  verb: string;
  /** The item whose box it is. */
  item: string;
  /** Why it is disabled; then it stays focusable and shows the reason. */
  blocked: string | undefined;
  testId: string;
  set(on: boolean): Promise<unknown>;
}

/** A row's state that can be switched in place; the old value returns if the server refuses. */
export function ToggleBox({ checked, verb, item, blocked: reason, testId, set }: ToggleBoxProps) {
  const { t } = useTranslation();
  const { busy, change } = useChange(() => set(!checked), { undo: () => set(checked) });
  return (
    <BlockableCheckbox
      checked={busy ? !checked : checked}
      aria-label={`${verb} ${item}`}
      hint={verb}
      blocked={busy ? t("reason.pending") : reason}
      onChange={change}
      data-testid={testId}
    />
  );
}
