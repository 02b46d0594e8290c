import { useTranslation } from "react-i18next";
import { Card, Facts } from "../../../ui/display/card.tsx";
import chipStyles from "../../../ui/styles/chip.module.css";

/** Each category once, with its values. */
export function ClassifiersCard({ text }: { text: string }) {
  const { t } = useTranslation();
  const groups = new Map<string, string[]>();
  for (const entry of text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean)) {
    const [category = "", ...rest] = entry.split(" :: ");
    groups.set(category, [...(groups.get(category) ?? []), rest.join(" :: ")]);
  }
  return (
    <Card title={t("package.classifiers")} testId="classifiers">
      <Facts
        rows={[...groups].map(([category, values]) => [
          category,
          <span key={category} style={{ display: "flex", flexWrap: "wrap", gap: 6 }}>
            {values.map((value) => (
              <span key={value} className={chipStyles.chip} style={{ whiteSpace: "normal" }}>
                {value}
              </span>
            ))}
          </span>,
        ])}
      />
    </Card>
  );
}
