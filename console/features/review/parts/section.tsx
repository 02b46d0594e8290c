import { type ReactNode, useId } from "react";
import textStyles from "../../../ui/styles/text.module.css";
import styles from "./section.module.css";

interface SectionProps {
  title: string;
  /** After the title, muted. */
  hint?: ReactNode;
  /** At the right edge. */
  end?: ReactNode;
  /** Of its heading, by default below that of a tab. */
  level?: 2 | 3;
  children: ReactNode;
}

/** A part of a tab; parts are separated by lines. */
export function Section({ title, hint, end, level = 3, children }: SectionProps) {
  const id = useId();
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <Heading id={id}>{title}</Heading>
        {hint !== undefined && <span className={textStyles.muted}>{hint}</span>}
        {end !== undefined && <span className={styles.end}>{end}</span>}
      </div>
      {children}
    </section>
  );
}
