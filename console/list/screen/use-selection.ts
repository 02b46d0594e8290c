import { useState } from "react";

/** Ids of selected rows; the selection survives paging. */
export interface Selection<Item> {
  items: ReadonlyMap<number, Item>;
  /** Rows that the last bulk action skipped, each with the reason. */
  skipped: ReadonlyMap<number, string>;
  select(items: readonly Item[], on: boolean): void;
  clear(skipped?: ReadonlyMap<Item, string>): void;
}

export function useSelection<Item>(idOf: (item: Item) => number): Selection<Item> {
  const [items, setItems] = useState<ReadonlyMap<number, Item>>(new Map());
  const [skipped, setSkipped] = useState<ReadonlyMap<number, string>>(new Map());
  return {
    items,
    skipped,
    select(chosen, on) {
      const next = new Map(items);
      for (const item of chosen) {
        if (on) next.set(idOf(item), item);
        else next.delete(idOf(item));
      }
      setItems(next);
      setSkipped(new Map());
    },
    clear(left = new Map()) {
      setItems(new Map());
      setSkipped(new Map([...left].map(([item, reason]) => [idOf(item), reason])));
    },
  };
}
