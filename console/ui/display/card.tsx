import "./card-texts.ts";
import { IconCheck, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import textStyles from "../styles/text.module.css";
import styles from "./card.module.css";

interface CardProps {
  title: string;
  /** At the far end of the title: a link to more. */
  end?: ReactNode;
  testId?: string;
  children: ReactNode;
}

/** One section of the page, with a title. */
export function Card({ title, end, testId, children }: CardProps) {
  return (
    <section className={styles.card} data-testid={testId}>
      <div className={styles.head}>
        <h2>{title}</h2>
        {end}
      </div>
      {children}
    </section>
  );
}

/** A name and its value; a wide one needs the whole width of the card. */
export type Fact = readonly [name: string, value: ReactNode, width?: "wide"];

/** Names and values; a missing value is shown as such. */
export function Facts({ rows }: { rows: readonly Fact[] }) {
  const { t } = useTranslation();
  return (
    <dl className={styles.facts}>
      {rows.map(([name, value, width]) => [
        <dt key={`${name} name`} data-width={width}>
          {name}
        </dt>,
        <dd key={`${name} value`} data-width={width}>
          {value || <span className={textStyles.muted}>{t("package.notProvided")}</span>}
        </dd>,
      ])}
    </dl>
  );
}

/** A state, as icon and word. */
export const Mark = ({ icon, word }: { icon: ReactNode; word: string }) => (
  <span className={textStyles.word}>
    {icon} {word}
  </span>
);

/** Yes or no, as icon and word. */
export function Tick({ on }: { on: boolean }) {
  const { t } = useTranslation();
  const Icon = on ? IconCheck : IconX;
  return (
    <span className={textStyles.word}>
      <Icon size={16} className={on ? textStyles.good : textStyles.muted} aria-hidden />{" "}
      {on ? t("word.yes") : t("word.no")}
    </span>
  );
}
