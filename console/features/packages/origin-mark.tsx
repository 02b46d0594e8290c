import type { PackageItem } from "@packhouse/contract/packages";
import { IconArrowsExchange } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import chipStyles from "../../ui/styles/chip.module.css";

/** Marks packages that a mirror imported; empty for uploads, and with servers that do not report it. */
export function OriginMark({ item }: { item: Pick<PackageItem, "origin" | "mirror"> }) {
  const { t } = useTranslation();
  if (item.origin !== "mirror") return null;
  const text = item.mirror ? t("origin.mirrorNamed", { name: item.mirror }) : t("origin.mirror");
  return (
    <span className={chipStyles.chip} title={t("origin.mirror")} data-testid="origin-mirror">
      <IconArrowsExchange size={14} stroke={1.9} aria-hidden /> {text}
    </span>
  );
}
