import { useSteps } from "../../../ui/loading/use-steps.ts";

/** More of them at a time would hold up slow devices. */
const rowsAtOnce = 5;

/** How many rows to show: the first ones of an answer immediately, the others a few at a time. */
export function useRowsInSteps(rows: number, question: string): number {
  const last = Math.max(Math.ceil(rows / rowsAtOnce) - 1, 0);
  return Math.min((useSteps(last, question) + 1) * rowsAtOnce, rows);
}
