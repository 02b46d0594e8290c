import type { PackageItem } from "@packhouse/contract/packages";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../language/i18n.ts";
import { Card } from "../ui/card.tsx";
import { versionsOf } from "./version-list.ts";

/** All accepted versions in this repository, newest first. */
export function VersionsCard({ item }: { item: PackageItem }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: ["versions", item.technology, item.id],
    queryFn: ({ signal }) => versionsOf(item, signal),
    meta: { shownInPlace: true },
  });
  return (
    <Card title={t("package.versions")} testId="versions">
      {error && (
        <button type="button" className="ph-link-button" onClick={() => void refetch()}>
          {t("action.retry")}
        </button>
      )}
      {!data && !error && <span className="ph-skeleton" />}
      {data?.length === 1 && <p className="ph-muted">{t("package.onlyVersion")}</p>}
      <ul className="ph-versions">
        {data?.map((version, index) => {
          const marks = [index === 0 ? t("package.latest") : "", version.binary ? t("word.binary") : ""]
            .filter(Boolean)
            .join(" · ");
          const text = (
            <>
              <span>{version.version}</span>
              <span className="ph-muted">{marks}</span>
            </>
          );
          return (
            <li key={version.id}>
              {version.id === item.id ? (
                <strong aria-current="true" data-testid={`version-${version.id}`}>
                  {text}
                </strong>
              ) : (
                <Link
                  to="/packages/$technology/$id"
                  params={{ technology: version.technology, id: version.id }}
                  data-testid={`version-${version.id}`}
                >
                  {text}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
      {data && data.length > 1 && <MajorVersions items={data} />}
    </Card>
  );
}

/** How many versions each major version has; the numbers themselves are the chart. */
function MajorVersions({ items }: { items: readonly PackageItem[] }) {
  const { t } = useTranslation();
  const counts = new Map<string, number>();
  for (const { version } of items) {
    const major = version.split(/[.-]/)[0] ?? version;
    counts.set(major, (counts.get(major) ?? 0) + 1);
  }
  return (
    <dl className="ph-facts" data-testid="versions-chart" style={{ marginTop: 12 }}>
      {[...counts].map(([major, count]) => [
        <dt key={`${major} name`} className="ph-mono">{`v${major}.x`}</dt>,
        <dd key={`${major} value`}>{t("package.versionsPerMajor", { count, formatted: formatNumber(count) })}</dd>,
      ])}
    </dl>
  );
}
