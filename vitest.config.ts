import { defineConfig } from "vitest/config";
import { isLong } from "./fixtures/long-form.ts";

const common = {
  pool: "forks",
  // The files that a worker runs share its modules: to load them again for each takes longer than most of its tests.
  isolate: false,
  // A machine with other work takes many times as long; what hangs is found either way.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // A second, otherwise.
  expect: { poll: { timeout: 30_000 } },
} as const;

export default defineConfig({
  test: {
    // One more than the processors of small machines, since each waits now and then.
    maxWorkers: 3,
    // Messages show what was there instead, also in the summary, which has no difference.
    chaiConfig: { truncateThreshold: 400 },
    reporters: ["default", "./e2e/clients/results-table.ts"],
    projects: [
      {
        test: {
          ...common,
          name: "unit",
          include: ["{contract,formats,inspection,fixtures,server,console,scripts}/**/*.test.{ts,tsx}"],
          exclude: ["**/*.api.test.ts", "**/node_modules/**", "**/dist/**"],
        },
      },
      {
        test: {
          ...common,
          name: "api",
          include: ["server/**/*.api.test.ts"],
          globalSetup: ["server/testing/servers/database-server.ts"],
          // Before anything is imported that hashes.
          setupFiles: ["server/testing/low-guessing-cost.ts"],
        },
      },
      {
        test: {
          ...common,
          name: "clients",
          globalSetup: ["e2e/clients/empty-data.ts"],
          include: ["e2e/clients/*.test.ts", ...(isLong ? ["e2e/clients/long/*.test.ts"] : [])],
        },
      },
    ],
  },
});
