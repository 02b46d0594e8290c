import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { longTag } from "@packhouse/fixtures/long-form";
import { filesOf, readManifest, sourcesOf } from "@packhouse/server/http/console/preloads";
import { expect } from "@playwright/test";
import budget from "../budget.json" with { type: "json" };
import { auditedBrowser } from "../lighthouse.ts";
import { signInByForm } from "./sign-in-as.ts";
import { test } from "./test.ts";

const built = resolve(import.meta.dirname, "../../console/dist");

/** What a screen needs before it can be drawn, as bytes over the wire. */
function weight(sources: readonly string[]): number {
  const files = filesOf(readManifest(built), sources);
  expect(files.length).toBeGreaterThan(5);
  return files.reduce((sum, file) => sum + statSync(join(built, `${file}.br`)).size, 0);
}

test("what is loaded before the first paint keeps to its budget", () => {
  const login = weight(["login.html"]);
  const packages = weight(["index.html", ...sourcesOf("/packages")]);
  console.log(`login: ${login} of ${budget.login} bytes; packages: ${packages} of ${budget.packages} bytes`);
  expect(login).toBeLessThanOrEqual(budget.login);
  expect(packages).toBeLessThanOrEqual(budget.packages);
});

test("each chunk that a page imports is evaluated in a task of its own, before the page's", () => {
  for (const name of ["index", "login"]) {
    const page = readFileSync(join(built, `${name}.html`), "utf8");
    const scripts = [...page.matchAll(/<script type="module"[^>]* src="\.\/assets\/([a-z-]+)-[\w-]{8}\.js"/g)].map(
      ([, chunk]) => chunk,
    );
    expect(scripts).toEqual(expect.arrayContaining(["react", "vendor", "contract", "sign-in", name]));
    expect(scripts.at(-1)).toBe(name);
    expect(page).not.toContain("modulepreload");
  }
});

test("scripts and styles are compressed and cached permanently, and nothing is requested from other servers", async ({
  page,
  baseURL,
}) => {
  const wrong: string[] = [];
  const seen: string[] = [];
  page.on("response", (response) => {
    const { hostname, protocol, pathname } = new URL(response.url());
    if (protocol.startsWith("http") && hostname !== new URL(baseURL ?? "").hostname) wrong.push(response.url());
    if (!pathname.startsWith("/assets/") || !/\.(js|css)$/.test(pathname)) return;
    seen.push(pathname);
    const headers = response.headers();
    if (headers["content-encoding"] !== "br" || !headers["cache-control"]?.includes("immutable"))
      wrong.push(`${pathname}: ${headers["content-encoding"]}, ${headers["cache-control"]}`);
  });
  await signInByForm(page, "user");
  await page.goto("/packages?search=cropcurve&submissionState=ACCEPTED");
  await page.getByRole("rowheader").first().getByRole("link").click();
  await expect(page.getByTestId("description")).toBeVisible();
  expect(seen.length).toBeGreaterThan(10);
  expect(wrong).toEqual([]);
});

/** Lighthouse finds some of what axe does in `every-screen.spec.ts`, and takes longer. */
const audited = ["/packages", "/submissions", "/repositories", "/events", "/upload-packages", "/settings-general"];

test("Lighthouse finds nothing against the accessibility of the main screens", { tag: longTag }, async ({
  baseURL,
}) => {
  const address = baseURL ?? "";
  test.setTimeout(180_000);
  await using browser = await auditedBrowser({ address, login: "user", password: "packhouse-demo" });
  const found: Record<string, unknown> = {};
  for (const path of audited) {
    const { points, lost } = await browser.audit(address + path, "accessibility", "desktop");
    if (points < 100) found[path] = { points, lost };
  }
  expect(found).toEqual({});
});
