import { type ReactNode, useId } from "react";
import textStyles from "../../../ui/styles/text.module.css";
import styles from "./section.module.css";

interface SectionProps {
  title: string;
  /** After the title, muted. */
  hint?: ReactNode;
  /** At the right edge. */
  end?: ReactNode;
  children: ReactNode;
}

/** A part of a tab; parts are separated by lines. */
export function Section({ title, hint, end, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <h3 id={id}>{title}</h3>
        {hint !== undefined && <span className={textStyles.muted}>{hint}</span>}
        {end !== undefined && <span className={styles.end}>{end}</span>}
      </div>
      {children}
    </section>
  );
}
