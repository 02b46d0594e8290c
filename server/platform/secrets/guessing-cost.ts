/**
 * How much work it is to try one guess at a stored password, or at a secret among the settings. Only tests change it
 * (`testing/low-guessing-cost.ts`).
 */
export const guessingCost = {
  // OWASP Password Storage Cheat Sheet: argon2id with at least 19 MiB, 2 passes, 1 lane.
  argon2: { memory: 19_456, passes: 2, parallelism: 1 },
  // The defaults of Node, by which the stored digests were made.
  scrypt: { N: 16_384, r: 8, p: 1 },
} as const;
