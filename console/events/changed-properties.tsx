import type { ChangedProperty } from "@packhouse/contract/events";
import { IconArrowRight } from "@tabler/icons-react";
import i18next from "i18next";
import { useTranslation } from "react-i18next";

/** A translation where there is one, else the word as it was sent. */
function known(group: string, word: string): string {
  const key = `${group}.${word}`;
  return i18next.exists(key) ? i18next.t(key as never) : word;
}

/** What an update changed: property, old value, new value. */
export function ChangedProperties({ changes }: { changes: readonly ChangedProperty[] }) {
  const { t } = useTranslation();
  if (changes.length === 0) return null;
  const value = (text: string) => (text === "" ? t("event.unset") : known("eventValue", text));
  return (
    <ul className="ph-changes">
      {changes.map(({ property, valueBefore, valueAfter }) => (
        <li key={property}>
          <span className="ph-muted">{known("property", property)}</span>
          <span className="ph-change-value">{value(valueBefore)}</span>
          <IconArrowRight size={14} role="img" aria-label={t("event.becomes")} />
          <span className="ph-change-value">{value(valueAfter)}</span>
        </li>
      ))}
    </ul>
  );
}
