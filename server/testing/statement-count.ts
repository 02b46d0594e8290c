import { expect } from "vitest";
import type { TestPackhouse } from "./packhouse.ts";

/** Jobs send statements at any time: a call that once takes no more than `most` never needs more. */
export const expectStatements = (
  packhouse: Pick<TestPackhouse, "takeStatements">,
  call: () => Promise<unknown>,
  most: number,
): Promise<void> =>
  expect
    .poll(
      async () => {
        packhouse.takeStatements();
        await call();
        return packhouse.takeStatements().length;
      },
      { timeout: 20_000 },
    )
    .toBeLessThanOrEqual(most);
