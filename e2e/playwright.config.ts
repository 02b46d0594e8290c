import { existsSync } from "node:fs";
import { isLong, longTag } from "@packhouse/fixtures/long-form";
import { defineConfig } from "@playwright/test";

// The tests of a worker share a browser context, which Playwright empties in between: they need not all fetch and
// compile the console's scripts.
process.env.PW_TEST_REUSE_CONTEXT = "1";

/** Chromium that draws no window takes a quarter less of the processor. */
const withoutWindow = "/usr/bin/chromium-headless-shell";
const chromium = existsSync(withoutWindow) ? withoutWindow : "/usr/bin/chromium";

/** Its tests share a queue of uploads, and run one after the other. */
const longest = "**/review-uploads.spec.ts";

export default defineConfig({
  testDir: "browser",
  ...(isLong ? {} : { grepInvert: new RegExp(longTag) }),
  globalSetup: "./demo-data.ts",
  // Much of their time is waiting for what a user waits for.
  workers: 3,
  // The longest file first: if it started last, it would run alone at the end.
  projects: [
    { name: "longest", testMatch: longest },
    { name: "others", testIgnore: longest },
  ],
  timeout: 120_000,
  globalTimeout: 45 * 60_000,
  // Waiting longer for a condition costs nothing where it comes soon, and a busy machine may stall.
  expect: { timeout: 30_000 },
  // A machine with other work may stall once; what fails twice is broken.
  retries: process.env.CI ? 1 : 0,
  outputDir: "../test-results",
  use: {
    viewport: { width: 1440, height: 900 },
    locale: "en-US",
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
    permissions: ["clipboard-read", "clipboard-write"],
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? chromium,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        // One renderer for all pages of a context: the console is compiled once, which halves what a page costs.
        "--renderer-process-limit=1",
        "--disable-site-isolation-trials",
      ],
    },
    screenshot: "only-on-failure",
    // What moves would be drawn by the processor, and colors can only be measured once it has ended.
    contextOptions: { reducedMotion: "reduce" },
  },
});
