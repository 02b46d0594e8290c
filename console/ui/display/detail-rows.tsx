import type { ReactNode } from "react";
import cardStyles from "./card.module.css";

/** Labeled values of an open row; each one's name is its test id. */
export function DetailRows({ rows }: { rows: readonly (readonly [name: string, label: string, value: ReactNode])[] }) {
  return (
    <dl className={cardStyles.facts}>
      {rows.map(([name, label, value]) => [
        <dt key={`${name} name`}>{label}</dt>,
        <dd key={`${name} value`} data-testid={`detail-${name}`}>
          {value}
        </dd>,
      ])}
    </dl>
  );
}
