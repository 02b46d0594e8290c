import { signalLevels } from "@packhouse/contract/review/signals";
import { useTranslation } from "react-i18next";
import type { Release } from "../data/queries.ts";
import { Level } from "../parts/level.tsx";

/** The highest level with its number. An incomplete inspection never counts as clear. */
export function QueueLevel({ item: { level, signals, incomplete, changesAsked } }: { item: Release }) {
  const { t } = useTranslation();
  if (changesAsked) return <Level level="info" text={t("review.changesAsked")} />;
  if (level === null) return <span>{t("review.notInspected")}…</span>;
  const highest = signalLevels.findLast((one) => signals[one] > 0);
  if (incomplete && highest !== "danger") return <Level level="warning" text={t("review.incomplete").toLowerCase()} />;
  return highest ? (
    <Level level={highest} text={t(`review.count.${highest}`, { count: signals[highest] })} />
  ) : (
    <Level level="clear" />
  );
}
