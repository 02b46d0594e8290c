import { useTranslation } from "react-i18next";
import { Checkbox } from "../ui/forms/checkbox.tsx";
import { useChange } from "./use-change.ts";

/** What switching a state on and off is called. */
const verbs = { active: ["activate", "deactivate"], published: ["publish", "unpublish"] } as const;

interface ToggleBoxProps {
  state: keyof typeof verbs;
  checked: boolean;
  /** The item whose box it is. */
  item: string;
  /** Why it is disabled; then it stays focusable and shows the reason. */
  blocked: string | undefined;
  testId: string;
  set(on: boolean): Promise<unknown>;
}

/** A row's state that can be switched in place; the old value returns if the server refuses. */
export function ToggleBox({ state, checked, item, blocked, testId, set }: ToggleBoxProps) {
  const { t } = useTranslation();
  const action = verbs[state][checked ? 1 : 0];
  const verb = t(`action.${action}`);
  const { busy, change } = useChange(() => set(!checked), {
    success: t(`done.${action}`, { name: item }),
    undo: () => set(checked),
  });
  return (
    <Checkbox
      checked={busy ? !checked : checked}
      aria-label={`${item}: ${t(`word.${state}`)}`}
      hint={verb}
      blocked={busy ? t("reason.pending") : blocked}
      onChange={change}
      data-testid={testId}
    />
  );
}
