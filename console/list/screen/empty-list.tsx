import type { AnyList } from "@packhouse/contract/list-contract";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useCan } from "../../session/use-session.ts";
import buttonStyles from "../../ui/styles/button.module.css";
import emptyStyles from "../../ui/styles/empty.module.css";
import { firstReason, type ListContext, type ListDeclaration } from "../define-list.ts";

interface EmptyListProps<L extends AnyList> {
  list: ListDeclaration<L>;
  context: ListContext;
  /** Whether a filter is the reason. */
  filtered: boolean;
  onReset(): void;
  onAdd(): void;
}

/** Why the list is empty, and what helps. */
export function EmptyList<L extends AnyList>({
  list,
  context,
  filtered,
  onReset,
  onAdd,
}: EmptyListProps<L>): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={emptyStyles.empty} data-testid="empty">
      <EmptyHouse />
      <strong>{filtered ? t("list.emptyFiltered") : t("list.empty")}</strong>
      {filtered ? (
        <button type="button" className={buttonStyles.linkButton} onClick={onReset}>
          {t("list.resetFilter")}
        </button>
      ) : (
        <WayOut list={list} context={context} onAdd={onAdd} />
      )}
    </div>
  );
}

type WayOutProps<L extends AnyList> = Pick<EmptyListProps<L>, "list" | "context" | "onAdd">;

function WayOut<L extends AnyList>({ list: { add, whenEmpty }, context, onAdd }: WayOutProps<L>): ReactNode {
  const { t } = useTranslation();
  const can = useCan();
  if (whenEmpty)
    return (
      <>
        <span>{t(whenEmpty.hint)}</span>
        {can(whenEmpty.ability) && (
          <Link to={whenEmpty.to} className={buttonStyles.button}>
            {t(whenEmpty.label)}
          </Link>
        )}
      </>
    );
  if (add && can(add.ability) && firstReason(add.blockedBy, undefined, context) === undefined)
    return (
      <button type="button" className={buttonStyles.button} onClick={onAdd}>
        {add.label(context)}
      </button>
    );
  return <span>{t("list.emptyAsk")}</span>;
}

/** The house without its goods. */
function EmptyHouse() {
  return (
    <svg width="56" height="56" viewBox="0 0 32 32" fill="none" stroke="currentColor" aria-hidden="true">
      <path d="M3 13.6 16 3.4l13 10.2V28.5H3z" strokeWidth="1.4" strokeLinejoin="round" />
      <circle cx="10.9" cy="21.6" r="4" strokeWidth="1" strokeDasharray="1.6 1.6" />
      <rect x="17.4" y="17.5" width="8" height="8.3" rx="1" strokeWidth="1" strokeDasharray="1.6 1.6" />
    </svg>
  );
}
