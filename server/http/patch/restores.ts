import type { PatchOperation } from "./json-patch.ts";

/** Whether a patch is exactly the one that brings a deleted record back: `/deleted` to false, and nothing beside it. */
export const restores = (operations: readonly PatchOperation[]): boolean => {
  const [only, ...more] = operations;
  return (
    only?.op === "replace" &&
    only.path === "/deleted" &&
    (only.value === false || only.value === "false") &&
    more.length === 0
  );
};
