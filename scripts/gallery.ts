import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page } from "@playwright/test";
import { startProduct } from "../server/testing/product.ts";
import { type Scene, scenes } from "./gallery-scenes.ts";
import { project } from "./stages.ts";
import { provideTestedBuilds } from "./tested-builds.ts";

/**
 * Takes a picture of every screen and state of the demo in a real browser.
 *
 *     npm run gallery -- [folder] [--only=part of a name] [--widths=1440,390] [--themes=dark] [--languages=en]
 *     npm run gallery -- --readme      takes the pictures that the README and docs/ show
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", default: "" },
    widths: { type: "string", default: "1440,1024,390" },
    themes: { type: "string", default: "dark,light" },
    languages: { type: "string", default: "en,pl" },
    readme: { type: "boolean", default: false },
  },
});
/** What is not there on a narrow screen must not hold up the others. */
const stepTimeoutMs = 6000;
const readmePictures = ["packages", "submissions", "review", "review-files", "package"];
const heights: Record<string, number> = { "1440": 900, "1024": 768, "390": 844 };

async function signedIn(browser: Browser, address: string, login: string, width: number): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: heights[width] ?? 900 }, locale: "en-US" });
  const page = await context.newPage();
  page.setDefaultTimeout(stepTimeoutMs);
  if (login === "") return page;
  await page.goto(`${address}/login`);
  await page.getByTestId("field-login").fill(login);
  await page.getByTestId("field-password").fill("packhouse-demo");
  await page.getByTestId("login-submit").click();
  await page.getByTestId("table-packages").waitFor();
  return page;
}

/** The person's own settings, as the settings screen would save them. */
async function choose(page: Page, theme: string, language: string): Promise<void> {
  await page.evaluate(
    async ({ theme, language }) => {
      localStorage.setItem("packhouse.theme", theme);
      localStorage.setItem("packhouse.language", language);
      const token = localStorage.getItem("packhouse.token");
      if (!token) return;
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json-patch+json" };
      const me = (await (await fetch("/api/v2/manager/users/me", { headers })).json()) as { data: { id: number } };
      const body = JSON.stringify([
        { op: "replace", path: "/theme", value: theme },
        { op: "replace", path: "/language", value: language },
      ]);
      await fetch(`/api/v2/manager/user-settings/${me.data.id}`, { method: "PATCH", headers, body });
    },
    { theme, language: language === "pl" ? "pl-PL" : "en-US" },
  );
}

async function take(page: Page, address: string, scene: Scene, path: string): Promise<void> {
  await page.goto(address + scene.address);
  await page.waitForLoadState("networkidle");
  await scene.prepare?.(page);
  await page.waitForTimeout(600); // what fades in has done so
  await page.screenshot({ path });
}

await provideTestedBuilds();
await using product = await startProduct({ demo: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const folder = values.readme ? join(project, "docs/pictures") : resolve(positionals[0] ?? "gallery");
await mkdir(folder, { recursive: true });
const wanted = scenes.filter(({ name }) =>
  values.readme ? readmePictures.includes(name) : name.includes(values.only),
);
const widths = values.readme ? ["1440"] : values.widths.split(",");
const themes = values.readme ? ["dark"] : values.themes.split(",");
const languages = values.readme ? ["en"] : values.languages.split(",");
let failed = 0;
for (const login of new Set(wanted.map((scene) => scene.login))) {
  for (const width of widths) {
    const page = await signedIn(browser, product.address, login, Number(width));
    for (const theme of themes) {
      for (const language of languages) {
        if (page.url() === "about:blank") await page.goto(`${product.address}/login`);
        await choose(page, theme, language);
        for (const scene of wanted.filter((it) => it.login === login)) {
          const name = values.readme ? scene.name : `${scene.name}-${width}-${theme}-${language}`;
          try {
            await take(page, product.address, scene, join(folder, `${name}.png`));
          } catch (error) {
            failed += 1;
            process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
          } finally {
            await page.emulateMedia({ media: null });
            await page.unrouteAll({ behavior: "ignoreErrors" });
          }
        }
      }
    }
    await page.context().close();
  }
}
await browser.close();
process.stdout.write(`Pictures are in ${folder}${failed > 0 ? `; ${failed} could not be taken` : ""}\n`);
process.exitCode = failed > 0 ? 1 : 0;
