import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "browser",
  workers: 2,
  timeout: 60_000,
  globalTimeout: 35 * 60_000,
  expect: { timeout: 10_000 },
  // A machine with other work may stall once; what fails twice is broken.
  retries: process.env.CI ? 1 : 0,
  outputDir: "../test-results",
  use: {
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
});
