import { IconAdjustmentsHorizontal, IconChevronsLeft, IconChevronsRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { loadFailure } from "../../../api/load-failure.ts";
import { formatNumber } from "../../../language/i18n.ts";
import { FailedLoad } from "../../../ui/display/failed-load.tsx";
import { TechnologyTile } from "../../../ui/display/technology-tile.tsx";
import { Checkbox } from "../../../ui/forms/checkbox.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import loadingStyles from "../../../ui/styles/loading.module.css";
import textStyles from "../../../ui/styles/text.module.css";
import { isFiltered, type QueueAddress, type QueueSort, queueSorts } from "../data/address.ts";
import { changesAskedQuery, holds, nameOf, opensAt, queueQuery, type Release } from "../data/queries.ts";
import { Level } from "../parts/level.tsx";
import { BulkDecision } from "./bulk-decision.tsx";
import { EmptyQueue } from "./empty-queue.tsx";
import styles from "./queue.module.css";
import { QueueFilter } from "./queue-filter.tsx";
import { QueueRow } from "./queue-row.tsx";

interface QueueProps {
  address: QueueAddress;
  /** The submission that is open. */
  current: number | undefined;
  folded: boolean;
  onFold(): void;
  onAddress(address: QueueAddress): void;
}

/** What the queue shows, apart from its filters. */
const titleOf = ({ all, changesAsked }: QueueAddress) =>
  changesAsked ? "review.waitingForChanges" : all ? "review.waitingForAll" : "review.waiting";

/** The releases that wait; it stays while one of them is decided. */
export function Queue({ address, current, folded, onFold, onAddress }: QueueProps) {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useQuery(queueQuery(address));
  const [filtering, setFiltering] = useState(false);
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const items = data?.content ?? [];
  const total = data?.page.totalElements ?? 0;
  const chosen = items.filter(({ id }) => selected.has(id));
  const isCurrent = (item: Release) => current !== undefined && holds(item, current);
  const select = (changed: readonly Release[], on: boolean) => {
    const ids = new Set(selected);
    for (const { id } of changed) {
      if (on) ids.add(id);
      else ids.delete(id);
    }
    setSelected(ids);
  };
  if (folded)
    return (
      <section className={styles.rail} aria-label={t("review.queue")}>
        <IconButton icon={IconChevronsRight} label={t("review.unfold")} shortcut="[" onPress={onFold} />
        <span className={styles.railCount}>{formatNumber(total)}</span>
        <ul className={styles.list}>
          {items.map((item) => (
            <li key={item.id}>
              <Link
                to="/review/$technology/$id"
                params={{ technology: item.technology, id: opensAt(item) }}
                search={address}
                className={styles.railRow}
                title={nameOf(item)}
                aria-label={nameOf(item)}
                aria-current={isCurrent(item) || undefined}
                activeProps={{}}
              >
                <TechnologyTile technology={item.technology} />
                {item.level && <Level level={item.incomplete ? "warning" : item.level} quiet />}
              </Link>
            </li>
          ))}
        </ul>
      </section>
    );
  return (
    <section className={styles.queue} aria-label={t("review.queue")} data-testid="review-queue">
      <div className={styles.head}>
        <h2>{t(titleOf(address))}</h2>
        <span className={textStyles.muted} role="status">
          {data && t("review.releases", { count: total, formatted: formatNumber(total) })}
        </span>
        <span className={styles.tools}>
          <IconButton
            icon={IconAdjustmentsHorizontal}
            label={t("review.filter")}
            testId="review-filter"
            onPress={() => setFiltering(!filtering)}
          />
          <span className={styles.foldButton}>
            <IconButton icon={IconChevronsLeft} label={t("review.fold")} shortcut="[" onPress={onFold} />
          </span>
        </span>
      </div>
      {filtering && <QueueFilter address={address} onAddress={onAddress} />}
      <div className={styles.strip} data-busy={isFetching || undefined}>
        {items.length > 0 && (
          <span className={styles.box}>
            <Checkbox
              aria-label={t("review.selectAll")}
              checked={chosen.length === items.length}
              indeterminate={chosen.length > 0 && chosen.length < items.length}
              onChange={(checked) => select(items, checked)}
              data-testid="review-select-all"
            />
          </span>
        )}
        {chosen.length > 0 ? (
          <BulkDecision releases={chosen} onClear={() => setSelected(new Set())} />
        ) : (
          <label className={styles.sort}>
            {t("review.sortedBy")}
            <select
              value={address.sort ?? "risk"}
              onChange={(event) => {
                const sort = queueSorts.find((one): one is QueueSort => one === event.currentTarget.value);
                onAddress({ ...address, sort: sort === "risk" ? undefined : sort });
              }}
            >
              {queueSorts.map((sort) => (
                <option key={sort} value={sort}>
                  {t(`review.sort.${sort}`)}
                </option>
              ))}
            </select>
          </label>
        )}
        {chosen.length === 0 && (
          <span className={styles.keys} aria-hidden>
            <kbd className={textStyles.key}>j</kbd>
            <kbd className={textStyles.key}>k</kbd>
          </span>
        )}
      </div>
      {error && !data && <FailedLoad {...loadFailure(error, t)} onRetry={() => void refetch()} />}
      {data && items.length === 0 && (
        <EmptyQueue filtered={isFiltered(address)} onReset={() => onAddress({ sort: address.sort })} />
      )}
      <ul className={styles.list}>
        {!data &&
          !error &&
          [0, 1, 2, 3].map((row) => (
            <li key={row} className={styles.waiting} aria-hidden>
              <span className={loadingStyles.skeleton} style={{ width: "60%" }} />
            </li>
          ))}
        {items.map((item) => (
          <QueueRow
            key={item.id}
            item={item}
            address={address}
            current={isCurrent(item)}
            selected={selected.has(item.id)}
            onSelect={(on) => select([item], on)}
          />
        ))}
      </ul>
      <ChangesAsked address={address} onAddress={onAddress} />
    </section>
  );
}

/** A way to the releases that wait for their submitters. */
function ChangesAsked({ address, onAddress }: Pick<QueueProps, "address" | "onAddress">) {
  const { t } = useTranslation();
  const { data: count } = useQuery(changesAskedQuery);
  if (!count || address.changesAsked) return null;
  return (
    <p className={styles.foot}>
      {t("review.waitForChanges")}{" "}
      <button type="button" className={styles.footLink} onClick={() => onAddress({ changesAsked: "true" })}>
        {t("review.releases", { count, formatted: formatNumber(count) })}
      </button>
    </p>
  );
}
