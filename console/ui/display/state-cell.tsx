import type { SubmissionState } from "@packhouse/contract/references";
import { IconCircleX, IconHelpCircle, IconMailCheck, IconMailX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { explainedBy } from "../hint.tsx";
import styles from "./state-cell.module.css";

const icons = {
  WAITING: IconHelpCircle,
  ACCEPTED: IconMailCheck,
  REJECTED: IconMailX,
  CANCELLED: IconCircleX,
} as const;

/** Icon, word and weight; waiting items are the one thing on a page that stands out. */
export function StateCell({ state }: { state: SubmissionState }) {
  const { t } = useTranslation();
  const Icon = icons[state];
  return (
    <span
      className={styles.state}
      data-state={state}
      {...explainedBy(state === "WAITING" ? t("state.waitingHint") : undefined)}
    >
      <Icon size={16} stroke={1.9} aria-hidden />
      {t(`state.${state}`)}
    </span>
  );
}
