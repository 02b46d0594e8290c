import { useTranslation } from "react-i18next";
import type { Tab } from "../data/address.ts";
import type { ReleaseReview } from "../data/queries.ts";
import { Section } from "../parts/section.tsx";
import { TextButton } from "../parts/text-button.tsx";
import { InterfaceList } from "./interface-list.tsx";

interface InterfaceProps {
  review: ReleaseReview;
  onOpen(tab: Tab): void;
  /** So many at most, with a way to the others. */
  most?: number;
}

const kindTexts = { added: "review.added", changed: "review.changed", removed: "review.removed" } as const;

/** What users of the package can call, and what changed in it. */
export function InterfaceTab({ review: { comparison }, onOpen, most }: InterfaceProps) {
  const { t } = useTranslation();
  if (!comparison) return null;
  const { changes, unchanged, result } = comparison.interface;
  const kinds = (["added", "changed", "removed"] as const).flatMap((kind) => {
    const count = changes.filter(({ change }) => change === kind).length;
    return count > 0 ? [t(kindTexts[kind], { count })] : [];
  });
  const summary = [...kinds, ...(unchanged > 0 ? [t("review.same", { count: unchanged })] : [])].join(", ");
  return (
    <Section title={t("review.tab.interface")} hint={summary}>
      {changes.length === 0 ? (
        <p>{t(result === "unknown" ? "review.interfaceUnknown" : "review.interfaceNone")}</p>
      ) : (
        <InterfaceList changes={most ? changes.slice(0, most) : changes} />
      )}
      {most !== undefined && changes.length > most && (
        <MoreButton onPress={() => onOpen("interface")} shown={most} total={changes.length} />
      )}
    </Section>
  );
}

function MoreButton({ onPress, shown, total }: { onPress(): void; shown: number; total: number }) {
  const { t } = useTranslation();
  return <TextButton onPress={onPress}>{t("review.onlyFirst", { shown, total })}</TextButton>;
}
