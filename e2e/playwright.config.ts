import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { defineConfig } from "@playwright/test";

// Workers read this file again; all must mean the same folder and port.
process.env.BROWSER_TEST_DATA ??= mkdtempSync(join(tmpdir(), "packhouse-browser-"));
process.env.BROWSER_TEST_PORT ??= String(20_000 + (process.pid % 20_000));
const { BROWSER_TEST_DATA: dataDir = "", BROWSER_TEST_PORT: port = "" } = process.env;
const address = `http://localhost:${port}`;

export default defineConfig({
  testDir: "browser",
  // One product for all: specs that change something choose things that no other spec looks at.
  workers: 1,
  timeout: 60_000,
  globalTimeout: 25 * 60_000,
  expect: { timeout: 10_000 },
  // A machine that tests beside other work may stall for once; what fails twice is broken.
  retries: process.env.CI ? 1 : 0,
  outputDir: "../test-results",
  use: {
    baseURL: address,
    viewport: { width: 1440, height: 900 },
    locale: "en-US",
    actionTimeout: 8_000,
    navigationTimeout: 15_000,
    permissions: ["clipboard-read", "clipboard-write"],
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
    screenshot: "only-on-failure",
  },
  webServer: {
    command: `${process.execPath} ${resolve(import.meta.dirname, "../server/packhouse.ts")} demo`,
    cwd: resolve(import.meta.dirname, ".."),
    url: `${address}/actuator/health`,
    timeout: 120_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 10_000 },
    env: {
      PACKHOUSE_DATA_DIR: dataDir,
      PACKHOUSE_PORT: port,
      PACKHOUSE_LOG_LEVEL: "error",
      PACKHOUSE_UNDO_SECONDS: "2",
    },
  },
});
