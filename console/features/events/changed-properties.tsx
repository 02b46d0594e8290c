import "./texts.ts";
import type { EventItem } from "@packhouse/contract/events";
import { userRef } from "@packhouse/contract/references";
import { IconArrowRight } from "@tabler/icons-react";
import i18next from "i18next";
import { useTranslation } from "react-i18next";
import { isTextKey } from "../../language/i18n.ts";
import chipStyles from "../../ui/styles/chip.module.css";
import textStyles from "../../ui/styles/text.module.css";
import styles from "./changed-properties.module.css";

const longestValue = 30;

/** A translation if there is one, otherwise the word as it was sent. */
function known(group: string, word: string): string {
  const key = `${group}.${word}`;
  return isTextKey(key) ? i18next.t(key) : word;
}

/** The groups of texts for the names and the values of a property. */
const groupsOf = (property: string) =>
  property.startsWith("mail.") ? { name: "mail.kind", value: "mail.time" } : { name: "property", value: "eventValue" };

const nameOf = (property: string): string => known(groupsOf(property).name, property.replace(/^mail\./, ""));

/** Names of the users in the event, by the ids that appear in changes. */
function peopleOf({ user, relatedResource }: EventItem): Map<string, string> {
  const found = [user, relatedResource.user, relatedResource.submitter, relatedResource.approver].flatMap((it) => {
    const read = userRef.safeParse(it);
    return read.success ? [read.data] : [];
  });
  return new Map(found.map(({ id, name }) => [String(id), name]));
}

/** What an update changed: property, old value, new value. */
export function ChangedProperties({ event, heading = true }: { event: EventItem; heading?: boolean }) {
  const { t } = useTranslation();
  const people = peopleOf(event);
  if (event.changedProperties.length === 0) return null;
  const value = (property: string, text: string) => {
    if (text === "") return <span className={textStyles.muted}>{t("event.unset")}</span>;
    const shown = property === "approver" ? (people.get(text) ?? text) : known(groupsOf(property).value, text);
    return shown.length > longestValue ? (
      <span title={shown}>{`${shown.slice(0, longestValue)}...`}</span>
    ) : (
      <span>{shown}</span>
    );
  };
  return (
    <div className={styles.changes}>
      {heading && <h3>{t("event.changes")}</h3>}
      <ul>
        {event.changedProperties.map(({ property, valueBefore, valueAfter }) => (
          <li key={property}>
            <span className={chipStyles.chip}>{nameOf(property)}</span>
            {/* Values of settings and passwords are never shown. */}
            {(valueBefore !== "" || valueAfter !== "") && (
              <>
                <span className={textStyles.muted}>{value(property, valueBefore)}</span>
                <IconArrowRight size={14} role="img" aria-label={t("event.becomes")} />
                <span className={styles.value}>{value(property, valueAfter)}</span>
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
