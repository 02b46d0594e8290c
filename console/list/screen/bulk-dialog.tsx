import "@mantine/core/styles/Progress.layer.css";
import "@mantine/core/styles/Alert.layer.css";
import { Alert, Button, Progress } from "@mantine/core";
import { IconAlertCircle, IconCircleCheck } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiFailure } from "../../api/failure.ts";
import { inGroups } from "../../api/in-groups.ts";
import { reasonsOf } from "../../calls/report-failure.tsx";
import { formatNumber } from "../../language/i18n.ts";
import { CopyButton } from "../../ui/copy/copy-button.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import emptyStyles from "../../ui/styles/empty.module.css";
import formStyles from "../../ui/styles/form.module.css";
import textStyles from "../../ui/styles/text.module.css";
import { toast } from "../../ui/toasts.tsx";
import { toastWithUndo } from "../../ui/undo-toast.tsx";
import { type BulkAction, firstReason, type ListContext } from "../define-list.ts";
import styles from "./bulk-dialog.module.css";

interface BulkDialogProps<Item> {
  action: BulkAction<Item>;
  items: readonly Item[];
  context: ListContext;
  rowLabel(item: Item): string;
  /** Items that the action skipped, each with its reason. */
  onDone(skipped: ReadonlyMap<Item, string>): void;
  /** Called when something was changed, or changed back, after the dialog was done. */
  onChanged(): void;
  onClose(): void;
}

/** The result for one item. */
interface Outcome<Item> {
  item: Item;
  /** Why it failed; undefined if it did not. */
  failure: string | undefined;
}

/** One action on many items: what it will do, what it skips and why, its progress, and what failed. */
export function BulkDialog<Item>({
  action,
  items,
  context,
  rowLabel,
  onDone,
  onChanged,
  onClose,
}: BulkDialogProps<Item>) {
  const { t } = useTranslation();
  const [finished, setFinished] = useState<number>();
  const [outcomes, setOutcomes] = useState<readonly Outcome<Item>[]>();
  const reasons = new Map(items.map((item) => [item, firstReason(action.blockedBy, item, context)]));
  const eligible = items.filter((item) => reasons.get(item) === undefined);
  const skipped = new Map([...reasons].flatMap(([item, reason]) => (reason === undefined ? [] : [[item, reason]])));

  const run = async (chosen: readonly Item[]) => {
    setFinished(0);
    const results = await resultsOf(action, chosen, (count) => setFinished((before = 0) => before + count));
    const now = chosen.map((item, index): Outcome<Item> => {
      const result = results[index];
      return { item, failure: result?.status === "rejected" ? reasonText(result.reason) : undefined };
    });
    const failed = now.filter(({ failure }) => failure !== undefined);
    for (const { item, failure } of failed) toast.error(`${nameOf(rowLabel(item))} - ${failure}`);
    const done = now.filter(({ failure }) => failure === undefined).map(({ item }) => item);
    report(done, failed.length);
    if (failed.length === 0) onDone(skipped);
    else {
      setFinished(undefined);
      setOutcomes(now);
      onChanged();
    }
  };
  const report = (done: readonly Item[], failed: number) => {
    if (failed > 0) toast.warning(action.partial(t, done.length, failed));
    else if (action.reverse) toastWithUndo(action.success(t, done.length), () => void takeBack(done));
    else toast.success(action.success(t, done.length));
  };
  const takeBack = async (done: readonly Item[]) => {
    const { reverse } = action;
    if (!reverse) return;
    const results = await inGroups(done, reverse);
    const failed = results.filter(({ status }) => status === "rejected").length;
    if (failed === 0) toast.success(t("done.undone", { what: action.success(t, done.length) }));
    else toast.warning(t("bulk.partial", { done: done.length - failed, failed }));
    onChanged();
  };

  if (outcomes && finished === undefined)
    return (
      <Results
        outcomes={outcomes}
        rowLabel={rowLabel}
        onRetry={() => void run(outcomes.flatMap(({ item, failure }) => (failure === undefined ? [] : [item])))}
        onClose={() => onDone(skipped)}
      />
    );
  const none = eligible.length === 0;
  const count = outcomes?.filter(({ failure }) => failure !== undefined).length ?? eligible.length;
  return (
    <ConfirmDialog
      kind="bulk"
      title={action.question(t)}
      verb={action.verb(t, eligible.length)}
      danger={action.danger ?? false}
      blocked={none ? (action.none?.(t).title ?? t("bulk.none")) : undefined}
      busy={finished !== undefined}
      onConfirm={() => void run(eligible)}
      onClose={onClose}
    >
      {none && (
        <div className={emptyStyles.empty}>
          <strong>{action.none?.(t).title ?? t("bulk.none")}</strong>
          <span>{action.none?.(t).help ?? t("bulk.noneHelp")}</span>
        </div>
      )}
      {finished !== undefined && (
        <div aria-live="polite">
          <Progress value={(finished / count) * 100} aria-label={t("bulk.progress")} />
          <p className={textStyles.muted}>
            {t("bulk.progressOf", { done: formatNumber(finished), total: formatNumber(count) })}
          </p>
        </div>
      )}
      <ItemList items={eligible.map((item) => [rowLabel(item), undefined])} />
      {skipped.size > 0 && (
        <Alert color="orange" title={action.leftOut(t)}>
          <ItemList items={[...skipped].map(([item, reason]) => [rowLabel(item), reason])} />
        </Alert>
      )}
    </ConfirmDialog>
  );
}

/** How many items one call is given, so that the dialog shows progress. */
const atOnce = 100;

async function resultsOf<Item>(
  action: BulkAction<Item>,
  items: readonly Item[],
  onFinished: (count: number) => void,
): Promise<PromiseSettledResult<unknown>[]> {
  const results: PromiseSettledResult<unknown>[] = [];
  while (action.runMany && results.length < items.length) {
    const some = items.slice(results.length, results.length + atOnce);
    const answered = await action.runMany(some).catch((reason: unknown) => some.map(() => rejected(reason)));
    if (answered === null) break;
    results.push(...answered);
    onFinished(some.length);
  }
  const rest = items.slice(results.length);
  return [...results, ...(await inGroups(rest, (item) => action.run(item).finally(() => onFinished(1))))];
}

const rejected = (reason: unknown) => ({ status: "rejected", reason }) as const;

const mostListed = 200;

/** Long lists are cut: nobody reads ten thousand lines, and rendering them would take seconds. */
function ItemList({ items }: { items: readonly (readonly [label: string, reason: string | undefined])[] }) {
  const { t } = useTranslation();
  if (items.length === 0) return null;
  return (
    <ScrollingList>
      {items.slice(0, mostListed).map(([label, reason]) => (
        <li key={label}>
          <span className={textStyles.mono}>{label}</span>
          {reason && ` – ${reason}`}
        </li>
      ))}
      {items.length > mostListed && (
        <li className={textStyles.muted}>{t("bulk.more", { formatted: formatNumber(items.length - mostListed) })}</li>
      )}
    </ScrollingList>
  );
}

/** A scrolling region must be reachable by keyboard. */
function ScrollingList({ children, testId }: { children: ReactNode; testId?: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region
    <ul className={styles.list} tabIndex={0} data-testid={testId}>
      {children}
    </ul>
  );
}

interface ResultsProps<Item> {
  outcomes: readonly Outcome<Item>[];
  rowLabel(item: Item): string;
  onRetry(): void;
  onClose(): void;
}

/** Stays open until it is closed, so that failures can be read, copied and retried. */
function Results<Item>({ outcomes, rowLabel, onRetry, onClose }: ResultsProps<Item>) {
  const { t } = useTranslation();
  const lines = outcomes.map(({ item, failure }) => [rowLabel(item), failure ?? t("word.succeeded")] as const);
  return (
    <Dialog kind="bulk" title={t("bulk.results")} onClose={onClose}>
      <ScrollingList testId="bulk-results">
        {outcomes.map(({ item, failure }) => (
          <li
            key={rowLabel(item)}
            className={`${textStyles.word} ${styles.result}`}
            data-state={failure === undefined ? "success" : "error"}
          >
            {failure === undefined ? (
              <IconCircleCheck size={16} className={textStyles.good} role="img" aria-label={t("word.succeeded")} />
            ) : (
              <IconAlertCircle size={16} className={textStyles.bad} role="img" aria-label={t("word.failed")} />
            )}
            <span>
              <span className={textStyles.mono}>{rowLabel(item)}</span>
              {failure !== undefined && ` – ${failure}`}
            </span>
          </li>
        ))}
      </ScrollingList>
      <div className={formStyles.buttons}>
        <CopyButton text={lines.map((line) => line.join("\t")).join("\n")} label={t("bulk.copy")} />
        <span style={{ flex: 1 }} />
        <Button variant="default" onClick={onClose} data-testid="dialog-cancel">
          {t("action.close")}
        </Button>
        <Button onClick={onRetry} data-testid="bulk-retry">
          {t("bulk.retry")}
        </Button>
      </div>
    </Dialog>
  );
}

const reasonText = (error: unknown): string =>
  error instanceof ApiFailure ? reasonsOf(error).join("; ") : error instanceof Error ? error.message : String(error);

/** Toasts only contain the item's name: "A3 0.9.2 in testrepo3" starts with it. */
const nameOf = (label: string): string => label.split(" ")[0] ?? label;
