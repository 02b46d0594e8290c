import type { Ability } from "@packhouse/contract/abilities";
import type { PublicConfiguration } from "@packhouse/contract/configuration";
import type { AnyList, ItemOf, SortOf } from "@packhouse/contract/list-contract";
import type { RoleName } from "@packhouse/contract/roles";
import type { Icon } from "@tabler/icons-react";
import type { TFunction } from "i18next";
import type { ComponentType, ReactNode } from "react";
import type { FindOptions } from "../api/options.ts";
import type { OwnUser } from "../session/session.ts";

/** What reasons may look at beside their row. */
export interface Circumstances {
  t: TFunction;
  user: OwnUser;
  configuration: PublicConfiguration | undefined;
}

/** What cells and actions may look at beside their row. */
export interface ListContext extends Circumstances {
  /** Opens an in-app address. */
  go(address: string): void;
  /** Opens or closes the detail of a row. */
  toggleRow(id: number): void;
}

/** One field of a filter bar. Values are texts as in the address. */
export type FilterField = { label: string; testId?: string; role?: RoleName } & (
  | { kind: "search" }
  | { kind: "choices"; options: readonly string[]; optionLabel?: (t: TFunction, value: string) => string }
  | {
      kind: "picker";
      options: FindOptions<string>;
      /** What those get who are below the field's role; nothing unless given. */
      otherwise?: "search";
    }
  | { kind: "triState" }
  | { kind: "switch" }
  | { kind: "date"; end: "from" | "to" }
);

export interface Column<Item, Sort extends string> {
  label: string;
  sort?: Sort;
  width?: string;
  align?: "end";
  /** Left out of tables below 1280 px; the open row shows it. */
  wideOnly?: boolean;
  /** Left out for people below this role. */
  role?: RoleName;
  /** Says enough without its label in a card. */
  bare?: boolean;
  cell(item: Item, context: ListContext): ReactNode;
}

/** A reason why not, or nothing. The first that applies is the one the person is given. */
export type Blocker<Item> = (item: Item, context: Circumstances) => string | undefined;

/** The first reason why not; undefined: it is possible. */
export const firstReason = <Item>(
  blockers: readonly Blocker<Item>[],
  item: Item,
  circumstances: Circumstances,
): string | undefined => blockers.map((blocker) => blocker(item, circumstances)).find((reason) => reason !== undefined);

export interface RowAction<Item> {
  name: string;
  /** Column of the icon, from 1, where icons of a list stand in columns although some are absent. */
  slot?: number;
  label(item: Item, context: ListContext): string;
  icon(item: Item): Icon;
  /** Key that presses it on the row that has the focus. */
  shortcut?: string;
  danger?: boolean;
  /** Absent instead of blocked. */
  absent?: (item: Item, context: ListContext) => boolean;
  blockedBy: readonly Blocker<Item>[];
  /** Delayed for some seconds, or confirmed, because it cannot be taken back; `doing` names it meanwhile. */
  delayed?: { doing(context: ListContext): string; question(item: Item, context: ListContext): string };
  /** A dialog of its own instead of a plain run. */
  dialog?: ComponentType<{ item: Item; onClose(): void }>;
  run?(item: Item, context: ListContext, leaving: boolean): Promise<void>;
  /** Changes nothing, so nothing is reloaded and no success is told. */
  reads?: boolean;
}

/** One action over all items that are selected. */
export interface BulkAction<Item> {
  name: string;
  icon: Icon;
  danger?: boolean;
  /** The verb with what it will be done to: "Delete 3 packages". */
  verb(t: TFunction, count: number): string;
  question(t: TFunction): string;
  /** Above the items that it leaves out. */
  leftOut(t: TFunction): string;
  /** When it can be done to none of them. */
  none?(t: TFunction): { title: string; help: string };
  /** On rows that it left out. */
  untouched?(t: TFunction): string;
  success(t: TFunction, count: number): string;
  partial(t: TFunction, done: number, failed: number): string;
  blockedBy: readonly Blocker<Item>[];
  run(item: Item): Promise<unknown>;
  /** The call that takes it back; offered for some seconds. */
  reverse?(item: Item): Promise<unknown>;
}

type DefaultFilters<L extends AnyList> = Partial<Record<keyof L["filters"] & string, string>>;

export interface ListDeclaration<L extends AnyList> {
  contract: L;
  /** Route name, for titles and test hooks. */
  name: string;
  heading: string;
  rowId(item: ItemOf<L>): number;
  /** The item in a sentence: "A3 0.9.2 in testrepo3". */
  rowLabel(item: ItemOf<L>): string;
  isDeleted?(item: ItemOf<L>): boolean;
  defaultSort: readonly [SortOf<L>, "asc" | "desc"];
  /** A second order behind the first: "version,desc". */
  furtherSort?: Partial<Record<SortOf<L>, string>>;
  defaultFilters?: DefaultFilters<L> | ((user: OwnUser) => DefaultFilters<L>);
  filters: Partial<Record<keyof L["filters"] & string, FilterField>>;
  columns: readonly Column<ItemOf<L>, SortOf<L>>[];
  actions: readonly RowAction<ItemOf<L>>[];
  bulk?: readonly BulkAction<ItemOf<L>>[];
  /** Rows that a server shows although the filter means others; hidden, and the count is then approximate. */
  hides?(item: ItemOf<L>, filters: Readonly<Record<string, string>>, circumstances: Circumstances): boolean;
  /** Filters that follow from others, for servers that do not know those. */
  implied?(filters: Readonly<Record<string, string>>): Record<string, string>;
  /** What an open row shows. */
  detail?: ComponentType<{ item: ItemOf<L> }>;
  add?: {
    ability: Ability;
    label(context: ListContext): string;
    blockedBy: readonly Blocker<undefined>[];
    dialog: ComponentType<{ onClose(): void }>;
  };
  /** What helps when there is nothing at all; without it the way to add something, where there is one. */
  whenEmpty?: { hint: string; label: string; address: string; ability: Ability };
}

/**
 * A list screen is a declaration. The contract's types are not inferred from it (`NoInfer`),
 * so that a slip in a sort or filter name is an error instead of a wider type.
 */
export const defineList = <L extends AnyList>(
  contract: L,
  declaration: NoInfer<Omit<ListDeclaration<L>, "contract">>,
): ListDeclaration<L> => ({
  contract,
  ...declaration,
});
