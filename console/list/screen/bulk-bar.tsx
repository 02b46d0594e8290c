import type { AnyList, ItemOf } from "@packhouse/contract/list-contract";
import { IconX } from "@tabler/icons-react";
import { type ReactNode, Suspense, useEffect, useEffectEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { reportFailure } from "../../calls/report-failure.tsx";
import { bulkTexts } from "../../language/bulk-texts.ts";
import { addTexts, formatNumber } from "../../language/i18n.ts";
import { explainedBy } from "../../ui/hint.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { lazyWithRetry } from "../../ui/loading/lazy-with-retry.ts";
import buttonStyles from "../../ui/styles/button.module.css";
import pillStyles from "../../ui/styles/pill.module.css";
import { type BulkAction, firstReason, type ListContext, type ListDeclaration } from "../define-list.ts";
import styles from "./bulk-bar.module.css";
import type { BulkDialog as BulkDialogOf } from "./bulk-dialog.tsx";
import type { Selection } from "./rows/use-selection.ts";

addTexts(bulkTexts);

// `lazy` loses the type parameter.
const BulkDialog = lazyWithRetry(() =>
  import("./bulk-dialog.tsx").then((it) => it.BulkDialog),
) as unknown as typeof BulkDialogOf;

interface BulkBarProps<L extends AnyList> {
  list: ListDeclaration<L>;
  context: ListContext;
  selection: Selection<ItemOf<L>>;
  /** How many rows match the filter, and whether all visible ones are selected. */
  total: number;
  allSelected: boolean;
  /** Selects everything that matches the filter. */
  findAll(): Promise<readonly ItemOf<L>[]>;
  onChanged(): void;
  /** For screen readers: a bar that has just appeared is not announced. */
  onAnnounce(text: string): void;
}

/** The actions for the selection, each with how many items it applies to. */
export function BulkBar<L extends AnyList>(props: BulkBarProps<L>): ReactNode {
  const { list, context, selection, total, allSelected } = props;
  const { t } = useTranslation();
  const [action, setAction] = useState<BulkAction<ItemOf<L>>>();
  const [finding, setFinding] = useState(false);
  const selected = [...selection.items.values()];
  const count = t("list.selected", { count: selected.length, formatted: formatNumber(selected.length) });
  const announce = useEffectEvent(props.onAnnounce);
  useEffect(() => announce(count), [count]);
  useEffect(() => () => announce(""), []);
  const selectEverything = async () => {
    setFinding(true);
    try {
      selection.select(await props.findAll(), true);
    } catch (error) {
      reportFailure(error);
    } finally {
      setFinding(false);
    }
  };
  return (
    <div className={styles.strip} data-selection data-testid="bulk-menu">
      <strong>{count}</strong>
      {list.bulk?.map((one) => (
        <BulkButton key={one.name} action={one} items={selected} context={context} onPress={() => setAction(one)} />
      ))}
      {allSelected && selected.length < total && (
        <button
          type="button"
          className={buttonStyles.linkButton}
          aria-disabled={finding || undefined}
          onClick={() => !finding && void selectEverything()}
          data-testid="select-everything"
        >
          {finding ? t("list.loading") : t("list.selectEverything", { count: total, formatted: formatNumber(total) })}
        </button>
      )}
      <span className={styles.spring} />
      <IconButton icon={IconX} label={t("filter.clear")} onPress={() => selection.clear()} />
      {action && (
        <Suspense>
          <BulkDialog
            action={action}
            items={selected}
            context={context}
            rowLabel={list.rowLabel}
            onClose={() => setAction(undefined)}
            onChanged={props.onChanged}
            onDone={(left) => {
              const untouched = action.untouched?.(t) ?? t("bulk.untouched");
              setAction(undefined);
              selection.clear(new Map([...left].map(([item, reason]) => [item, `${untouched} (${reason})`])));
              props.onChanged();
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

interface BulkButtonProps<Item> {
  action: BulkAction<Item>;
  items: readonly Item[];
  context: ListContext;
  onPress(): void;
}

/** One action with the number of items that it applies to. Where all are kept from it by one reason, it shows that. */
function BulkButton<Item>({ action, items, context, onPress }: BulkButtonProps<Item>) {
  const { t } = useTranslation();
  const reasonId = useId();
  const reasons = items.map((item) => firstReason(action.blockedBy, item, context));
  const common = reasons.every((reason) => reason === reasons[0]) ? reasons[0] : undefined;
  // An action with a text of its own for this explains itself in its dialog.
  const blocked = action.none ? undefined : common;
  return (
    <button
      type="button"
      className={`${pillStyles.pill} ${styles.button}`}
      data-danger={action.danger || undefined}
      data-testid={`bulk-${action.name}`}
      aria-disabled={blocked ? true : undefined}
      aria-describedby={blocked ? reasonId : undefined}
      {...explainedBy(blocked)}
      onClick={() => !blocked && onPress()}
    >
      <action.icon size={16} aria-hidden /> {action.verb(t, reasons.filter((reason) => reason === undefined).length)}
      {blocked && (
        <span id={reasonId} hidden>
          {blocked}
        </span>
      )}
    </button>
  );
}
