import { useCallback, useState } from "react";

/** Ids of selected rows; the selection survives paging. */
export interface Selection<Item> {
  items: ReadonlyMap<number, Item>;
  /** Rows that the last bulk action skipped, each with the reason. */
  skipped: ReadonlyMap<number, string>;
  /** Stays the same function. */
  select(items: readonly Item[], on: boolean): void;
  clear(skipped?: ReadonlyMap<Item, string>): void;
}

export function useSelection<Item>(idOf: (item: Item) => number): Selection<Item> {
  const [items, setItems] = useState<ReadonlyMap<number, Item>>(new Map());
  const [skipped, setSkipped] = useState<ReadonlyMap<number, string>>(new Map());
  const select = useCallback(
    (chosen: readonly Item[], on: boolean) => {
      setItems((before) => {
        const next = new Map(before);
        for (const item of chosen) {
          if (on) next.set(idOf(item), item);
          else next.delete(idOf(item));
        }
        return next;
      });
      setSkipped(new Map());
    },
    [idOf],
  );
  return {
    items,
    skipped,
    select,
    clear(left = new Map()) {
      setItems(new Map());
      setSkipped(new Map([...left].map(([item, reason]) => [idOf(item), reason])));
    },
  };
}
