import type { Ability } from "@packhouse/contract/abilities";
import type { PublicConfiguration } from "@packhouse/contract/configuration";
import type { AnyList, ItemOf, SortOf } from "@packhouse/contract/list-contract";
import type { RoleName } from "@packhouse/contract/roles";
import type { Icon } from "@tabler/icons-react";
import type { UseNavigateResult } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import type { ComponentType, ReactNode } from "react";
import type { FindOptions } from "../api/options.ts";
import type { TextKey } from "../language/i18n.ts";
import type { OwnUser } from "../session/session.ts";
import type { SortText } from "./list-address.ts";

/** What conditions may read in addition to their row. */
export interface ConditionContext {
  t: TFunction;
  user: OwnUser;
  configuration: PublicConfiguration | undefined;
}

/** What cells and actions may use in addition to their row. */
export interface ListContext extends ConditionContext {
  /** Opens another screen. */
  go: UseNavigateResult<string>;
  /** Opens or closes the detail of a row. */
  toggleRow(id: number): void;
}

/** One field of a filter bar. Values are texts, as in the address. */
export type FilterField = { label: TextKey; testId?: string; role?: RoleName } & (
  | { kind: "search" }
  | { kind: "choices"; options: readonly string[]; optionText?: (value: string) => TextKey | undefined }
  | {
      kind: "picker";
      options: FindOptions<string>;
      /** Replaces it for users below the field's role; by default, they get nothing. */
      otherwise?: "search";
    }
  /** Any, yes or no; or two words of its own for the values. */
  | { kind: "triState"; words?: { true: TextKey; false: TextKey } }
  | { kind: "switch" }
  | { kind: "date"; end: "from" | "to" }
);

/** The values that a field offers, with a text for each; other values in an address are shown unchanged. */
export const choices = <Value extends string>(
  options: readonly Value[],
  textOf: (value: Value) => TextKey,
): Pick<Extract<FilterField, { kind: "choices" }>, "kind" | "options" | "optionText"> => ({
  kind: "choices",
  options,
  optionText: (value) => {
    const known = options.find((option) => option === value);
    return known && textOf(known);
  },
});

/** Replaces a filter or column that the contract has but the screen leaves out, with the reason. */
export interface NotShown {
  notShown: string;
}
export const notShown = (reason: string): NotShown => ({ notShown: reason });

/** Fields that a screen derives from a record, in addition to those of the contract, by name. */
export const shownOf = <Shown extends object>(all: Readonly<Record<string, Shown | NotShown | undefined>>) =>
  Object.entries(all).flatMap(([name, one]) => (one === undefined || "notShown" in one ? [] : [[name, one] as const]));

export interface Column<Item> {
  label: TextKey;
  width?: string;
  align?: "end";
  /** Hidden in tables below 1280 px; the open row shows it. */
  wideOnly?: boolean;
  /** Hidden from users below this role. */
  role?: RoleName;
  /** Needs no label in a card. */
  bare?: boolean;
  cell(item: Item, context: ListContext): ReactNode;
}

/** A reason why not, or undefined. The user sees the first that applies. */
export type Blocker<Item> = (item: Item, context: ConditionContext) => string | undefined;

/** The first reason why not; undefined if it is possible. */
export const firstReason = <Item>(
  blockers: readonly Blocker<Item>[],
  item: Item,
  context: ConditionContext,
): string | undefined => blockers.map((blocker) => blocker(item, context)).find((reason) => reason !== undefined);

interface RowActionBase<Item> {
  name: string;
  /** Column of the icon, from 1, in lists whose icons are aligned in columns although some are absent. */
  slot?: number;
  label(item: Item, context: ListContext): string;
  icon(item: Item): Icon;
  /** Keyboard shortcut for it on the focused row. */
  shortcut?: string;
  danger?: boolean;
  /** Hidden instead of disabled. */
  absent?: (item: Item, context: ListContext) => boolean;
  blockedBy: readonly Blocker<Item>[];
  /** Delayed for a few seconds, or confirmed, because it cannot be undone; `doing` describes it in the meantime. */
  delayed?: { doing(context: ListContext): string; question(item: Item, context: ListContext): string };
}

type Run<Item> = (item: Item, context: ListContext, leaving: boolean) => Promise<void>;

export type RowDialog<Item> = ComponentType<{ item: Item; onClose(): void }>;

/** An action opens a dialog, changes the item and reports `done` to it by its label, or only reads it. */
export type RowAction<Item> = RowActionBase<Item> &
  (
    | { dialog: RowDialog<Item>; run?: never; done?: never; reads?: never }
    | { run: Run<Item>; done(label: string, context: ListContext): string; dialog?: never; reads?: never }
    | { run: Run<Item>; reads: true; done?: never; dialog?: never }
  );

/** One action on all selected items. */
export interface BulkAction<Item> {
  name: string;
  icon: Icon;
  danger?: boolean;
  /** The verb with its objects: "Delete 3 packages". */
  verb(t: TFunction, count: number): string;
  question(t: TFunction): string;
  /** Above the items that it skips. */
  leftOut(t: TFunction): string;
  /** When it cannot be done to any of them. */
  none?(t: TFunction): { title: string; help: string };
  /** On rows that it skipped. */
  untouched?(t: TFunction): string;
  success(t: TFunction, count: number): string;
  partial(t: TFunction, done: number, failed: number): string;
  blockedBy: readonly Blocker<Item>[];
  run(item: Item): Promise<unknown>;
  /**
   * The same for up to a hundred items in one call, with the result for each in their order; null if the server does not
   * offer it.
   */
  runMany?(items: readonly Item[]): Promise<PromiseSettledResult<unknown>[] | null>;
  /** The call that undoes it; offered for a few seconds. */
  reverse?(item: Item): Promise<unknown>;
}

/** The name of an item's field; a dotted name sorts by a part of one, and a column may use it. */
type Part = `${string}.${string}`;
type Columns<L extends AnyList> = {
  readonly [Name in Exclude<SortOf<L>, Part>]: Column<ItemOf<L>> | NotShown;
} & { readonly [Name in Extract<SortOf<L>, Part>]?: Column<ItemOf<L>> };

type DefaultFilters<L extends AnyList> = Partial<Record<keyof L["filters"] & string, string>>;

export interface ListDeclaration<L extends AnyList> {
  contract: L;
  /** Route name, for titles and test ids. */
  name: string;
  heading: TextKey;
  rowId(item: ItemOf<L>): number;
  /** The item in a sentence: "A3 0.9.2 in testrepo3". */
  rowLabel(item: ItemOf<L>): string;
  isDeleted?(item: ItemOf<L>): boolean;
  defaultSort: readonly [SortOf<L>, "asc" | "desc"];
  /** A secondary order: "version,desc". */
  furtherSort?: { readonly [Name in SortOf<L>]?: SortText<L> };
  defaultFilters?: DefaultFilters<L> | ((user: OwnUser) => DefaultFilters<L>);
  /** Every filter of the contract, or a reason why not. */
  filters: { readonly [Name in keyof L["filters"] & string]: FilterField | NotShown };
  /** The sort field of each column, in order; every field of the contract, or a reason why not. */
  columns: Columns<L>;
  actions: readonly RowAction<ItemOf<L>>[];
  bulk?: readonly BulkAction<ItemOf<L>>[];
  /** Rows that a server returns despite the filter; hidden, and the count is then approximate. */
  hides?(item: ItemOf<L>, filters: Readonly<Record<string, string>>, context: ConditionContext): boolean;
  /** Filters that are implied by others, for servers that do not know those. */
  implied?(filters: Readonly<Record<string, string>>): Record<string, string>;
  /** The details in an open row. */
  detail?: ComponentType<{ item: ItemOf<L> }>;
  /** Whether rows, details or filters have days or times, whose time zone is named below the list. */
  hasTimes: boolean;
  /** Whether opening a row leaves the others open. */
  severalOpen?: boolean;
  add?: {
    ability: Ability;
    label(context: ListContext): string;
    blockedBy: readonly Blocker<undefined>[];
    dialog: ComponentType<{ onClose(): void }>;
  };
  /** What helps if the list is empty; by default the way to add something, if there is one. */
  whenEmpty?: { hint: TextKey; label: TextKey; to: "/upload-packages"; ability: Ability };
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
