import type { ReviewLevel } from "@packhouse/contract/review/release";
import {
  IconAlertOctagonFilled,
  IconAlertTriangle,
  IconCircleCheck,
  IconInfoCircle,
  IconSquareRotated,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import visibilityStyles from "../../../ui/styles/visibility.module.css";
import styles from "./level.module.css";

const icons = {
  danger: IconAlertOctagonFilled,
  warning: IconAlertTriangle,
  notice: IconSquareRotated,
  info: IconInfoCircle,
  clear: IconCircleCheck,
} as const;

interface LevelProps {
  level: ReviewLevel;
  /** In place of the level's name. */
  text?: string;
  /** Only the icon is shown; the word stays for those who listen. */
  quiet?: boolean;
}

/** Outline, word and weight say the level; color comes last. */
export function Level({ level, text, quiet = false }: LevelProps) {
  const { t } = useTranslation();
  const Icon = icons[level];
  return (
    <span className={styles.level} data-level={level}>
      <span className={styles.icon}>
        <Icon size={16} stroke={1.9} aria-hidden />
      </span>
      <span className={quiet ? visibilityStyles.hidden : undefined}>{text ?? t(`review.level.${level}`)}</span>
    </span>
  );
}
