import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../../language/i18n.ts";
import loadingStyles from "../../../ui/styles/loading.module.css";
import type { Tab } from "../data/address.ts";
import { comparedVersion } from "../data/compared-version.ts";
import { diffQuery, type ReleaseReview } from "../data/queries.ts";
import { DiffTable } from "../files/diff-table.tsx";
import { Level } from "../parts/level.tsx";
import { LineCount } from "../parts/line-count.tsx";
import { Section } from "../parts/section.tsx";
import { TextButton } from "../parts/text-button.tsx";
import { Assessment } from "./assessment.tsx";
import styles from "./facts.module.css";
import { Checks, Fields, Indicators } from "./facts.tsx";
import { Dependents, Installs } from "./impact.tsx";
import { InterfaceTab } from "./interface.tsx";
import { OtherSignals, SignalList } from "./signals.tsx";

/** So many are shown here; their tab has all of them. */
const mostEntries = 6;
const mostDependents = 4;
const none: readonly never[] = [];

interface OverviewProps {
  review: ReleaseReview;
  id: number;
  base: string | undefined;
  onOpen(tab: Tab, file?: string): void;
}

/** What a person needs in a minute. */
export function Overview({ review, id, base, onOpen }: OverviewProps) {
  const { t } = useTranslation();
  const { comparison, impact, release } = review;
  if (!comparison)
    return (
      <Section title={t("review.signals")} hint={`${t("review.notInspected")}…`}>
        {[0, 1, 2].map((row) => (
          <span key={row} className={loadingStyles.skeleton} style={{ width: "60%", margin: "14px 0" }} />
        ))}
      </Section>
    );
  const { fresh, gone, unchanged } = comparison.signals;
  const version = comparedVersion(review, base);
  const news = comparison.files.filter(
    ({ path, kind, change }) =>
      kind === "text" && change !== "removed" && /^(news|changelog|changes|readme)\b/i.test(path),
  );
  return (
    <div className={styles.columns}>
      <div className={styles.main}>
        {release.base === null && base === undefined && <p className={styles.hint}>{t("review.newPackage")}</p>}
        <Section
          title={t("review.signals")}
          hint={version === undefined ? undefined : t("review.newSince", { version })}
        >
          {fresh.length === 0 ? (
            <Level level="clear" text={t("review.noSignals")} />
          ) : (
            <SignalList signals={fresh} onOpen={(file) => onOpen("files", file)} />
          )}
          <OtherSignals unchanged={unchanged} gone={gone} />
        </Section>
        {news.map((file) => (
          <Section
            key={file.path}
            title={file.path}
            hint={<LineCount added={file.added} removed={file.removed} />}
            end={<TextButton onPress={() => onOpen("files", file.path)}>{t("review.openFile")}</TextButton>}
          >
            <News id={id} base={base} file={file} />
          </Section>
        ))}
        <Section title={t("review.indicators")} hint={t("review.indicatorsHint")}>
          <Indicators indicators={comparison.indicators} needsInTotal={impact?.needsInTotal} />
        </Section>
      </div>
      <div className={styles.side}>
        <InterfaceTab review={review} onOpen={onOpen} most={mostEntries} />
        {impact && (
          <Section
            title={t("review.impact")}
            hint={
              impact.dependentsTotal > 0 &&
              t("review.needIt", { count: impact.dependentsTotal, formatted: formatNumber(impact.dependentsTotal) })
            }
            end={<TextButton onPress={() => onOpen("dependencies")}>{t("review.tab.dependencies")}</TextButton>}
          >
            <Dependents dependents={impact.dependents.slice(0, mostDependents)} />
            <Installs impact={impact} technology={release.technology} />
          </Section>
        )}
        <Section title={t("review.metadata")} hint={t("review.fields", { count: comparison.fields.length })}>
          <Fields fields={comparison.fields} />
        </Section>
        <Section title={t("review.checkResults")}>
          <Checks checks={review.checks} />
        </Section>
        <Assessment review={review} id={id} />
      </div>
    </div>
  );
}

function News({
  id,
  base,
  file,
}: Pick<OverviewProps, "id" | "base"> & { file: Parameters<typeof DiffTable>[0]["file"] }) {
  const { data, error } = useQuery(diffQuery({ id, path: file.path, base, ignoreWhitespace: false }));
  if (!data && !error)
    return <span className={loadingStyles.skeleton} style={{ width: "50%", margin: "8px 0" }} aria-hidden />;
  if (data?.state !== "compared") return null;
  return <DiffTable diff={data} file={file} id={id} sideBySide={false} signals={none} comments={none} />;
}
