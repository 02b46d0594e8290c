import { startTransition, useEffect, useState } from "react";

/** As many rows as a user sees at once on most screens; more of them at a time would hold up slow devices. */
const rowsAtOnce = 10;

/** How many rows to show: the first ones of an answer immediately, the others a few at a time. */
export function useRowsInSteps(rows: number, question: string): number {
  const [grown, setGrown] = useState({ question, count: rowsAtOnce });
  const count = grown.question === question ? grown.count : rowsAtOnce;
  useEffect(() => {
    if (count < rows) startTransition(() => setGrown({ question, count: count + rowsAtOnce }));
  }, [count, rows, question]);
  return Math.min(count, rows);
}
