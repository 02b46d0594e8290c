import type { PackageDownloads } from "@packhouse/contract/packages";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../../language/i18n.ts";
import numbersStyles from "../../../ui/styles/numbers.module.css";
import textStyles from "../../../ui/styles/text.module.css";

const height = 20;
/** The width of a bar, and of a bar including its gap. */
const barWidth = 2;
const step = 3;

/** The number of recent downloads, with a bar for each day. */
export function DownloadsNumber({ of: { total, last30Days, perDay } }: { of: PackageDownloads }) {
  const { t } = useTranslation();
  const most = Math.max(0, ...perDay.map(({ count }) => count));
  const inWords = t("package.downloadsInWords", {
    lately: formatNumber(last30Days),
    most: formatNumber(most),
    total: formatNumber(total),
  });
  return (
    <div data-testid="card-downloads">
      <dt>{t("package.downloads")}</dt>
      <dd className={`${numbersStyles.line} ${numbersStyles.downloads}`}>
        {formatNumber(last30Days)}
        {total > 0 && (
          <svg
            role="img"
            aria-label={inWords}
            width={perDay.length * step}
            height={height}
            viewBox={`0 0 ${perDay.length * step} ${height}`}
          >
            <title>{inWords}</title>
            {perDay.map(({ date, count }, index) => {
              // A day with a single download must be visible among busy ones.
              const size = count === 0 ? 1 : Math.max(3, (count / most) * height);
              return (
                <rect
                  key={date}
                  x={index * step}
                  y={height - size}
                  width={barWidth}
                  height={size}
                  className={count === 0 ? numbersStyles.quiet : undefined}
                />
              );
            })}
          </svg>
        )}
        <span className={`${textStyles.muted} ${textStyles.small}`}>
          {total > 0 ? t("package.downloadsInAll", { formatted: formatNumber(total) }) : t("package.noDownloads")}
        </span>
      </dd>
    </div>
  );
}
