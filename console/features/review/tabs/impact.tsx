import type { Impact } from "@packhouse/contract/review/impact";
import type { Technology } from "@packhouse/contract/technology";
import { useTranslation } from "react-i18next";
import { TechnologyTile } from "../../../ui/display/technology-tile.tsx";
import visibilityStyles from "../../../ui/styles/visibility.module.css";
import { Level } from "../parts/level.tsx";
import tableStyles from "../parts/table.module.css";
import styles from "./impact.module.css";

type Dependent = Impact["dependents"][number];

/** What becomes of a package that needs the release. */
function Outcome({ of: { before, after } }: { of: Dependent }) {
  const { t } = useTranslation();
  if (before === "satisfied")
    return after === "satisfied" ? (
      <Level level="clear" text={t("review.stays")} />
    ) : (
      <Level level="warning" text={t("review.breaks")} />
    );
  return after === "satisfied" ? (
    <Level level="clear" text={t("review.fixes")} />
  ) : (
    <Level level="info" text={t("review.staysBroken")} />
  );
}

export function Dependents({ dependents }: { dependents: readonly Dependent[] }) {
  const { t } = useTranslation();
  return (
    <ul className={styles.list}>
      {dependents.map((one) => (
        <li key={`${one.packageId} ${one.field}`} className={styles.dependent}>
          <TechnologyTile technology={one.technology} />
          <span className={styles.name}>
            <b>{one.name}</b> {one.version}
          </span>
          <span className={styles.outcome}>
            <Outcome of={one} />
          </span>
          <span className={styles.where}>
            {one.field} · {one.repository}
          </span>
          <span className={styles.constraint}>{one.constraint === "" ? t("review.anyVersion") : one.constraint}</span>
        </li>
      ))}
    </ul>
  );
}

/** What clients get by the package's name, before and after. */
export function Installs({ impact: { installs, archived }, technology }: { impact: Impact; technology: Technology }) {
  const { t } = useTranslation();
  // Several versions are sent as `4.1 to 4.6`.
  const shownVersions = (versions: string) => {
    const [first, last] = versions.split(" to ");
    return `${technology} ${last === undefined ? versions : t("review.versionRange", { first, last })}`;
  };
  return (
    <>
      <table className={tableStyles.table}>
        <caption className={visibilityStyles.hidden}>{t("review.installs")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("review.installsOn")}</th>
            <th scope="col">{t("review.now")}</th>
            <th scope="col">{t("review.afterAccepting")}</th>
          </tr>
        </thead>
        <tbody>
          {installs.map(({ languageVersions, before, after }) => (
            <tr key={languageVersions}>
              <th scope="row">
                {languageVersions === "" ? t("review.everyVersion") : shownVersions(languageVersions)}
              </th>
              <td className={styles.version}>{before ?? t("review.nothing")}</td>
              <td className={styles.version}>
                {after === null && before !== null ? (
                  <Level level="warning" text={t("review.nothing")} />
                ) : (
                  <b className={styles.now} data-changed={after !== before || undefined}>
                    {after ?? t("review.nothing")}
                  </b>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {archived !== null && <p className={styles.archived}>{t("review.leavesIndex", { version: archived })}</p>}
    </>
  );
}
