import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconChevronsRight } from "@tabler/icons-react";
import { memo, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../language/i18n.ts";
import { lazyWithRetry } from "../../ui/loading/lazy-with-retry.ts";
import formStyles from "../../ui/styles/form.module.css";
import textStyles from "../../ui/styles/text.module.css";
import { pageNumbers } from "../list-address.ts";
import styles from "./pager.module.css";

// Not required for the first screen, so loaded after it.
const ZoneNote = lazyWithRetry(() => import("../../ui/display/zone-note.tsx").then((it) => it.ZoneNote));

const usualSizes = [10, 20, 30, 50, 100];
/** The sizes that a user can choose from: the usual ones, and their own. */
export const pageSizes = (ownSize: number): number[] => [...new Set([...usualSizes, ownSize])].sort((a, b) => a - b);

interface PagerProps {
  page: number;
  size: number;
  total: number;
  sizes: readonly number[];
  hasTimes: boolean;
  onPage(page: number): void;
  onSize(size: number): void;
}

/** A button that turns to a page. */
interface Step {
  label: string;
  hook: string;
  target: number;
  Icon: typeof IconChevronLeft;
}

export const Pager = memo(function Pager({ page, size, total, sizes, hasTimes, onPage, onSize }: PagerProps) {
  const { t } = useTranslation();
  const last = Math.max(1, Math.ceil(total / size));
  const step = ({ label, hook, target, Icon }: Step, possible: boolean) => (
    <button
      type="button"
      className={styles.page}
      aria-label={label}
      aria-disabled={possible ? undefined : true}
      data-testid={`page-${hook}`}
      onClick={() => possible && onPage(target)}
    >
      <Icon size={16} aria-hidden />
    </button>
  );
  return (
    <nav className={styles.pager} aria-label={t("list.page", { n: page })}>
      <strong className={textStyles.strong} data-testid="page-range">
        {t("list.range", {
          from: formatNumber(total === 0 ? 0 : (page - 1) * size + 1),
          to: formatNumber(Math.min(page * size, total)),
          total: formatNumber(total),
        })}
      </strong>
      <label className={textStyles.muted}>
        {t("list.rowsPerPage")}{" "}
        <select
          className={formStyles.smallSelect}
          value={size}
          data-testid="page-size"
          onChange={(event) => onSize(Number(event.currentTarget.value))}
        >
          {sizes.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      </label>
      {hasTimes && (
        <Suspense>
          <ZoneNote />
        </Suspense>
      )}
      <span className={styles.pages}>
        {step({ label: t("list.first"), hook: "first", target: 1, Icon: IconChevronsLeft }, page > 1)}
        {step({ label: t("list.previous"), hook: "previous", target: page - 1, Icon: IconChevronLeft }, page > 1)}
        {pageNumbers(Math.min(page, last), last).map((number) => (
          <button
            key={number}
            type="button"
            className={styles.page}
            aria-label={t("list.page", { n: number })}
            aria-current={number === page ? "page" : undefined}
            data-far={Math.abs(number - page) > 1 || undefined}
            data-testid={`page-${number}`}
            onClick={() => onPage(number)}
          >
            {number}
          </button>
        ))}
        {step({ label: t("list.next"), hook: "next", target: page + 1, Icon: IconChevronRight }, page < last)}
        {step({ label: t("list.last"), hook: "last", target: last, Icon: IconChevronsRight }, page < last)}
      </span>
    </nav>
  );
});
