import { isBreaking } from "@packhouse/contract/review/breaking";
import type { InterfaceChange } from "@packhouse/contract/review/comparison";
import type { InterfaceEntry, Parameter } from "@packhouse/contract/review/inspection";
import { useTranslation } from "react-i18next";
import { ChangeMark } from "../parts/change-mark.tsx";
import { keyed } from "../parts/keyed.ts";
import { Level } from "../parts/level.tsx";
import { differing } from "./differing.ts";
import styles from "./interface-list.module.css";

const prefixes = { rest: "*", keywords: "**" } as const;

/** A parameter as it is written in a call's definition. */
function written({ name, annotation, kind, default: value }: Parameter): string {
  const prefix = kind === "rest" || kind === "keywords" ? (name.startsWith(".") ? "" : prefixes[kind]) : "";
  return `${prefix}${name}${annotation === null ? "" : `: ${annotation}`}${value === null ? "" : ` = ${value}`}`;
}

const byBreakage = (a: InterfaceChange, b: InterfaceChange) => Number(isBreaking(b)) - Number(isBreaking(a));

const nameOf = ({ before, after }: InterfaceChange) => `${(after ?? before)?.kind} ${(after ?? before)?.name}`;

/** What breaks comes first. */
export function InterfaceList({ changes }: { changes: readonly InterfaceChange[] }) {
  const { t } = useTranslation();
  return (
    <ul className={styles.list}>
      {keyed([...changes].sort(byBreakage), nameOf).map(({ key, item: change }) => {
        const entry = change.after ?? change.before;
        if (!entry) return null;
        return (
          <li key={key} className={styles.entry}>
            <ChangeMark change={change.change} />
            <span className={styles.name}>
              {entry.name}
              {change.change !== "changed" && entry.parameters && (
                <span className={styles.parameters}>({entry.parameters.map(written).join(", ")})</span>
              )}
            </span>
            {isBreaking(change) ? (
              <Level level="warning" text={t("review.breaking")} />
            ) : change.change === "changed" ? (
              <Level level="clear" text={t("review.compatible")} />
            ) : (
              <span className={styles.kind}>{t(`review.entry.${entry.kind}`)}</span>
            )}
            {change.change === "changed" && <Signatures before={change.before} after={change.after} />}
            {change.breaks.map(({ why, parameter }) => (
              <span key={`${why} ${parameter}`} className={styles.reason}>
                {t(`review.breakage.${why}`, { parameter: parameter ?? "" })}
              </span>
            ))}
          </li>
        );
      })}
    </ul>
  );
}

function Signatures({ before, after }: { before: InterfaceEntry | null; after: InterfaceEntry | null }) {
  const was = before?.parameters?.map(written);
  const is = after?.parameters?.map(written);
  if (!was || !is) return null;
  return (
    <div className={styles.signatures}>
      <Signature sign="−" texts={was} marks={differing(was, is)} />
      <Signature sign="+" texts={is} marks={differing(is, was)} />
    </div>
  );
}

function Signature({ sign, texts, marks }: { sign: "+" | "−"; texts: readonly string[]; marks: readonly boolean[] }) {
  return (
    <div className={styles.signature} data-sign={sign}>
      <span>{sign}</span>
      <span>
        (
        {keyed(texts, (text) => text).map(({ key, item: text }, index) => (
          <span key={key}>
            {index > 0 && ", "}
            {!marks[index] ? text : sign === "−" ? <del>{text}</del> : <ins>{text}</ins>}
          </span>
        ))}
        )
      </span>
    </div>
  );
}
