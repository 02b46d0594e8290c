import type { Availability, DependencyItem } from "@packhouse/contract/dependencies";
import { readDependencies } from "@packhouse/contract/operations/package-contents";
import type { PackageItem } from "@packhouse/contract/packages";
import {
  type Icon,
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleDot,
  IconCircleX,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { call } from "../../../api/client.ts";
import { ifOffered } from "../../../api/missing-routes.ts";
import { formatNumber } from "../../../language/i18n.ts";
import { Card } from "../../../ui/display/card.tsx";
import nameCellStyles from "../../../ui/display/name-cell.module.css";
import chipStyles from "../../../ui/styles/chip.module.css";
import linesStyles from "../../../ui/styles/lines.module.css";
import textStyles from "../../../ui/styles/text.module.css";
import styles from "./dependencies.module.css";

/** What a package depends on and what depends on it. Empty if the server does not provide this. */
export const useDependencies = (item: PackageItem) =>
  useQuery({
    queryKey: ["package", "dependencies", item.id],
    queryFn: ({ signal }) => ifOffered(readDependencies, () => call(readDependencies, { id: item.id }, { signal })),
    retry: false,
    meta: { shownInPlace: true },
  }).data;

const icons: Record<Availability, [icon: Icon, className: string | undefined]> = {
  here: [IconCircleCheck, textStyles.good],
  elsewhere: [IconCircleDot, textStyles.muted],
  unfit: [IconAlertTriangle, textStyles.warn],
  builtIn: [IconCircleCheck, textStyles.muted],
  missing: [IconCircleDashed, textStyles.muted],
};

/** One dependency field as chips, each with its availability. */
export function DependencyChips({ of }: { of: readonly DependencyItem[] }) {
  const { t } = useTranslation();
  return (
    <ul className={styles.chips}>
      {of.map((one) => {
        const [Icon, className] = icons[one.availability] ?? [IconCircleX, textStyles.muted];
        const where = t(`dependency.${one.availability}`, {
          repository: one.found?.repository ?? "",
          version: one.found?.version ?? "",
        });
        const content = (
          <>
            <Icon size={14} stroke={2} className={className} role="img" aria-label={where} />
            <span className={textStyles.strong}>{one.name}</span>
            {one.constraint && (
              <span className={textStyles.muted}>{one.constraint.replace(/(>=|<=)\s*/g, signOf)}</span>
            )}
            {one.condition && <span className={textStyles.muted}>{`; ${one.condition}`}</span>}
          </>
        );
        return (
          <li key={`${one.kind} ${one.name} ${one.constraint} ${one.condition}`} title={where}>
            {one.found ? (
              <Link
                to="/packages/$technology/$id"
                params={{ technology: one.found.technology, id: one.found.id }}
                className={`${chipStyles.chip} ${chipStyles.chipButton}`}
              >
                {content}
              </Link>
            ) : (
              <span className={`${chipStyles.chip} ${textStyles.mono}`}>{content}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const signOf = (operator: string): string => (operator.startsWith(">") ? "≥ " : "≤ ");

/** What depends on this package, in its own and in other repositories. */
export function DependentsCard({ item }: { item: PackageItem }) {
  const { t } = useTranslation();
  const dependents = useDependencies(item)?.dependents ?? [];
  if (dependents.length === 0) return null;
  return (
    <Card
      title={t("dependency.dependents")}
      testId="card-dependents"
      end={<span className={textStyles.muted}>{formatNumber(dependents.length)}</span>}
    >
      <ul className={`${linesStyles.lines} ${linesStyles.scrolling}`}>
        {dependents.map((one) => (
          <li key={one.id}>
            <span className={linesStyles.text}>
              <Link
                to="/packages/$technology/$id"
                params={{ technology: one.technology, id: one.id }}
                className={`${textStyles.mono} ${textStyles.link}`}
              >
                {one.name}
              </Link>{" "}
              <span className={nameCellStyles.version}>{one.version}</span>
            </span>
            <span className={textStyles.muted}>{one.repository}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
