import type { PatchOperation } from "./json-patch.ts";

/** Whether a patch only restores a deleted record: `/deleted` to false, and nothing else. */
export const restores = (operations: readonly PatchOperation[]): boolean => {
  const [only, ...more] = operations;
  return (
    only?.op === "replace" &&
    only.path === "/deleted" &&
    (only.value === false || only.value === "false") &&
    more.length === 0
  );
};
