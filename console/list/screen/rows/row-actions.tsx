import { IconLoader2 } from "@tabler/icons-react";
import { type ReactNode, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { configuration } from "../../../api/configuration.ts";
import { delayAction } from "../../../calls/delayed-action.ts";
import { DelayedNote } from "../../../calls/delayed-note.tsx";
import { reportFailure } from "../../../calls/report-failure.tsx";
import { LazyConfirmDialog } from "../../../ui/dialogs/lazy-confirm-dialog.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import loadingStyles from "../../../ui/styles/loading.module.css";
import { toast } from "../../../ui/toasts.tsx";
import { firstReason, type ListContext, type RowAction, type RowDialog } from "../../define-list.ts";
import styles from "./row-actions.module.css";

interface RowActionsProps<Item> {
  item: Item;
  id: number;
  rowKey: string;
  label: string;
  actions: readonly RowAction<Item>[];
  context: ListContext;
  /** What is delayed for this row. */
  delayed: string | undefined;
  pending: boolean;
  onPending(pending: boolean): void;
  onChanged(): void;
  onDialog(dialog: RowDialog<Item>): void;
}

/** A row's icons. While an action is running or delayed, its state is shown instead. */
export function RowActions<Item>(props: RowActionsProps<Item>): ReactNode {
  const { item, id, rowKey, label, actions, context, delayed, pending } = props;
  const { t } = useTranslation();
  const [asking, setAsking] = useState<RowAction<Item>>();

  const run = async (action: RowAction<Item>, leaving = false) => {
    props.onPending(true);
    try {
      await action.run?.(item, context, leaving);
      if (action.done) toast.success(action.done(label, context));
    } catch (error) {
      reportFailure(error);
    } finally {
      props.onPending(false);
      if (!action.reads) props.onChanged();
    }
  };
  const press = (action: RowAction<Item>) => {
    if (action.dialog) props.onDialog(action.dialog);
    else if (!action.delayed) void run(action);
    else if (configuration().undoSeconds === 0) setAsking(action);
    else delayAction({ key: rowKey, label: action.delayed.doing(context), send: (leaving) => run(action, leaving) });
  };

  if (delayed) return <DelayedNote rowKey={rowKey} label={delayed} />;
  if (pending)
    return (
      <span className={styles.actions} role="status" aria-label={t("reason.pending")}>
        <IconLoader2 size={18} className={loadingStyles.spin} aria-hidden />
      </span>
    );
  return (
    <span className={styles.actions} data-slots={actions.some(({ slot }) => slot) || undefined}>
      {actions
        .filter((action) => !action.absent?.(item, context))
        .map((action) => {
          const blocked = firstReason(action.blockedBy, item, context);
          const verb = action.label(item, context);
          return (
            <IconButton
              key={action.name}
              icon={action.icon(item)}
              label={`${verb} ${label}`}
              hint={verb}
              blocked={blocked}
              danger={action.danger ?? false}
              shortcut={action.shortcut}
              testId={`${action.name}-${id}`}
              {...(action.slot ? { column: action.slot } : {})}
              onPress={() => press(action)}
            />
          );
        })}
      <Suspense>
        {asking?.delayed && (
          <LazyConfirmDialog
            kind={asking.name}
            title={asking.delayed.question(item, context)}
            verb={asking.label(item, context)}
            danger={asking.danger ?? false}
            onClose={() => setAsking(undefined)}
            onConfirm={() => {
              setAsking(undefined);
              void run(asking);
            }}
          />
        )}
      </Suspense>
    </span>
  );
}
