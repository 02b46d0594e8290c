import type { PackageItem } from "@packhouse/contract/packages";
import { submissionList } from "@packhouse/contract/submissions";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { api, type ListRequest } from "../../../api/client.ts";
import { fileNameOf } from "../../../calls/package-file.ts";
import { formatDate, formatNumber, formatSize } from "../../../language/i18n.ts";
import { technologies } from "../../../technologies/technologies.ts";
import { Card } from "../../../ui/display/card.tsx";
import buttonStyles from "../../../ui/styles/button.module.css";
import loadingStyles from "../../../ui/styles/loading.module.css";
import textStyles from "../../../ui/styles/text.module.css";
import { versionsOf } from "./version-list.ts";
import styles from "./versions-card.module.css";

/** All accepted versions in this repository, newest first. */
export function VersionsCard({ item }: { item: PackageItem }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useVersions(item);
  const dates = useUploadDates(item);
  return (
    <Card
      title={t("package.versions")}
      testId="versions"
      end={data && <span className={textStyles.muted}>{formatNumber(data.length)}</span>}
    >
      {error && (
        <button type="button" className={buttonStyles.linkButton} onClick={() => void refetch()}>
          {t("action.retry")}
        </button>
      )}
      {!data && !error && <span className={loadingStyles.skeleton} />}
      {data && data.length > 1 && <MajorVersions items={data} />}
      {data?.length === 1 && <p className={textStyles.muted}>{t("package.onlyVersion")}</p>}
      <ul className={styles.versions}>
        {data?.map((version, index) => {
          const marks = [
            index === 0 ? t("package.latest") : "",
            technologies[version.technology].isPreRelease(version.version) ? t("package.preRelease") : "",
            version.binary ? t("word.binary") : "",
          ];
          const uploaded = dates?.get(version.id);
          const text = (
            <>
              <span>{version.version}</span>
              <span className={textStyles.muted}>{uploaded ? formatDate(uploaded) : ""}</span>
              <span className={textStyles.muted}>{marks.filter(Boolean).join(" · ") || sizeOf(version)}</span>
            </>
          );
          const hint = [fileNameOf(version), sizeOf(version)].filter(Boolean).join(" · ");
          return (
            <li key={version.id} title={hint}>
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
    </Card>
  );
}

const sizeOf = ({ size }: PackageItem): string => (size === undefined ? "" : formatSize(size));

export const useVersions = (item: PackageItem) =>
  useQuery({
    queryKey: ["versions", item.technology, item.id],
    queryFn: ({ signal }) => versionsOf(item, signal),
    meta: { shownInPlace: true },
  });

/** When each version was uploaded, which is only known from its submission. */
function useUploadDates({ name, repository }: PackageItem): ReadonlyMap<number, string> | undefined {
  const query: ListRequest<typeof submissionList> = {
    search: name,
    repository: repository.name,
    state: "ACCEPTED",
    size: "500",
  };
  return useQuery({
    queryKey: ["list", submissionList.path, "dates", query],
    queryFn: ({ signal }) => api.list(submissionList, query, signal),
    select: ({ content }) => new Map(content.map(({ packageBag, created }) => [packageBag.id, created])),
    meta: { shownInPlace: true },
  }).data;
}

/** More segments of a ring could not be distinguished: the others have the last of these colors. */
const ringColors = ["var(--ph-brand)", "var(--ph-edge)", "var(--ph-strong)", "var(--ph-line)"] as const;
const ringColor = (index: number): string => ringColors[index] ?? ringColors[3];

/** A ring chart of versions per major version; the legend next to it has the same as text. */
function MajorVersions({ items }: { items: readonly PackageItem[] }) {
  const { t } = useTranslation();
  const groups = Map.groupBy(items, ({ version }) => version.split(/[.-]/)[0] ?? version);
  let before = 0;
  const counts = [...groups].map(([major, { length }]) => {
    const start = before;
    before += length;
    return { major: `v${major}.x`, count: length, start };
  });
  return (
    <div className={styles.ring} data-testid="versions-chart">
      <svg viewBox="0 0 64 64" aria-hidden>
        {counts.map(({ major, count, start }, index) => (
          <circle
            key={major}
            cx={32}
            cy={32}
            r={20}
            stroke={ringColor(index)}
            pathLength={items.length}
            strokeDasharray={`${count} ${items.length - count}`}
            strokeDashoffset={-start}
          />
        ))}
      </svg>
      <ul>
        {counts.map(({ major, count }, index) => (
          <li key={major}>
            <span className={styles.ringMark} style={{ background: ringColor(index) }} />
            <span className={textStyles.mono}>{major}</span>
            <span className={textStyles.muted}>
              {t("package.versionsPerMajor", { count, formatted: formatNumber(count) })}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
