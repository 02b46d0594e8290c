import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@packhouse/server/testing/product";
import { type BrowserContext, chromium } from "@playwright/test";
import lighthouse, { desktopConfig, type Flags } from "lighthouse";

/** A browser that Lighthouse can reach, in which a user is signed in. */
export interface AuditedBrowser extends AsyncDisposable {
  /** `slowdown`: how much slower than this machine's the processor is to be taken for; Lighthouse's own unless given. */
  audit(
    address: string,
    category: "accessibility" | "performance",
    form: "desktop" | "mobile",
    slowdown?: number,
  ): Promise<Audit>;
}
export interface Audit {
  /** From 0 to 100. */
  points: number;
  /** What cost some. */
  lost: string[];
  /** Lighthouse's measure of this machine at this moment; some 1,750 where a slowdown of 4 makes a middling phone. */
  benchmarkIndex: number;
}

export interface Credentials {
  address: string;
  login: string;
  password: string;
}

/** Without credentials nobody is signed in. */
export async function auditedBrowser(credentials?: Credentials): Promise<AuditedBrowser> {
  const port = await freePort();
  const profile = await mkdtemp(join(tmpdir(), "packhouse-lighthouse-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", `--remote-debugging-port=${port}`],
  });
  if (credentials) await signIn(context, credentials);
  return {
    async audit(page, category, form, slowdown) {
      const flags: Flags = { port, onlyCategories: [category], disableStorageReset: true, logLevel: "error" };
      if (slowdown !== undefined) flags.throttling = { cpuSlowdownMultiplier: slowdown };
      const result = await lighthouse(page, flags, form === "desktop" ? desktopConfig : undefined);
      const found = result?.lhr.categories[category];
      if (!result || found?.score === null || found?.score === undefined)
        throw new Error(`Lighthouse could not measure ${page}: ${result?.lhr.runtimeError?.message ?? "no result"}`);
      const lost = found.auditRefs
        .map(({ id, weight }) => ({ weight, audit: result.lhr.audits[id] }))
        .filter(({ weight, audit }) => weight > 0 && audit?.score !== null && (audit?.score ?? 1) < 1)
        .map(({ audit }) => `${audit?.id}: ${audit?.displayValue ?? audit?.title ?? ""}`);
      return { points: Math.round(found.score * 100), lost, benchmarkIndex: result.lhr.environment.benchmarkIndex };
    },
    async [Symbol.asyncDispose]() {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

async function signIn(context: BrowserContext, { address, login, password }: Credentials): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${address}/login`);
  await page.getByTestId("field-login").fill(login);
  await page.getByTestId("field-password").fill(password);
  await page.getByTestId("login-submit").click();
  await page.getByTestId("table-packages").waitFor();
  await page.close();
}
