import type { FilterField } from "./define-list.ts";

/** Binary packages, or sources. */
export const kindFilter: FilterField = {
  kind: "triState",
  label: "column.type",
  words: { true: "word.binary", false: "word.source" },
};

/** A package that a server returns although it is of the other kind: other servers do not know the filter. */
export const isOtherKind = (item: { binary: boolean }, wanted: string | undefined): boolean =>
  (wanted === "true" || wanted === "false") && wanted !== String(item.binary);
