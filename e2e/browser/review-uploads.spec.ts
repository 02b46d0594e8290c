import { readFile } from "node:fs/promises";
import { isLong, longTag } from "@packhouse/fixtures/long-form";
import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { untilQuiet } from "./quiet.ts";
import { signInAs } from "./sign-in-as.ts";
import { testOn } from "./test.ts";
import { authorizationOf, uploadSmall } from "./upload-by-call.ts";

// A server of their own: the queue has nothing else in it.
const test = testOn({ demo: true, environment: { PACKHOUSE_UNDO_SECONDS: "2" } });

const api = "/api/v2/manager";
const choices = [
  { key: "a", verb: "Accept", running: "Accepting", state: "ACCEPTED", reason: "" },
  { key: "r", verb: "Reject", running: "Rejecting", state: "REJECTED", reason: "It needs tests." },
  { key: ".", verb: "Ask for changes", running: "Asking for changes", state: "WAITING", reason: "Please add a test." },
] as const;

const twelve = Array.from({ length: 12 }, (_, index) => String(index).padStart(2, "0"));
const eachOnce = twelve.slice(0, choices.length);
/** As many releases as a test decides, by the word that their names begin with. */
const numbers: Record<string, readonly string[]> = {
  keys: isLong ? twelve : twelve.slice(0, 2 * choices.length),
  voice: isLong ? twelve : eachOnce,
  mouse: eachOnce,
  other: eachOnce,
};
const namesOf = (prefix: string) => (numbers[prefix] ?? []).map((number) => prefix + number);
const source = (value: number) =>
  `${["area", "edge", "side", "rim"].map((name) => `${name} <- function(x) x * 2\n`).join("")}size <- function(x) x * ${value}\n`;

interface Version {
  name: string;
  version: string;
  files: Record<string, string>;
}

/** Uploads a version by a user whose uploads wait, and returns the id of its submission. */
async function submit(request: APIRequestContext, version: Version): Promise<number> {
  const headers = await authorizationOf(request, "user");
  return uploadSmall(request, { headers, repository: "stats-release", ...version });
}

/** A version 1.0 that is accepted, and a version 1.1 that waits. */
async function submitUpdate(
  request: APIRequestContext,
  name: string,
  before: Version["files"],
  after: Version["files"],
) {
  const first = await submit(request, { name, version: "1.0", files: before });
  const headers = await authorizationOf(request, "admin");
  const decided = await request.post(`${api}/submissions/${first}/decision`, {
    headers,
    data: { decision: "ACCEPTED" },
  });
  expect(decided.status()).toBe(200);
  await submit(request, { name, version: "1.1", files: after });
}

async function submitSeveral(request: APIRequestContext, prefix: string): Promise<void> {
  for (const name of namesOf(prefix))
    await submitUpdate(request, name, { "R/size.R": source(1) }, { "R/size.R": source(2) });
}

/** What the server reports about each, by the package's name. */
async function decided(request: APIRequestContext, prefix: string) {
  const headers = await authorizationOf(request, "admin");
  const answer = await request.get(`${api}/submissions?search=${prefix}&size=100`, { headers });
  const { data } = (await answer.json()) as {
    data: { content: { state: string; reason: string | null; packageBag: { name: string; version: string } }[] };
  };
  return new Map(
    data.content
      .filter(({ packageBag }) => packageBag.version === "1.1")
      .map(({ state, reason, packageBag }) => [packageBag.name, { state, reason }]),
  );
}

async function openQueue(page: Page, prefix: string): Promise<void> {
  await signInAs(page, "admin");
  await page.goto(`/review?search=${prefix}&sort=name`);
  await expect(page.getByTestId("review-queue")).toContainText(`${namesOf(prefix).length} releases`);
}

/** Opens the first release that is found, by keyboard. */
async function openRelease(page: Page, name: string): Promise<void> {
  await signInAs(page, "admin");
  await page.goto(`/review?search=${name}`);
  await expect(page.getByTestId(`release-${name}`)).toBeVisible();
  await page.keyboard.press("j");
  await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
}

const choiceOf = (index: number) => choices[index % choices.length] ?? choices[0];

test("releases are decided by keyboard alone, each with its difference read", async ({ page, request }) => {
  test.setTimeout(240_000);
  await submitSeveral(request, "keys");
  await openQueue(page, "keys");
  // Whatever is pressed without a key is a mistake of the test.
  await page.evaluate(() => addEventListener("pointerdown", () => document.body.setAttribute("data-pointer", "")));
  await page.keyboard.press("j");
  const heading = page.getByRole("heading", { level: 1 });
  for (const [index, name] of namesOf("keys").entries()) {
    const { key, running, reason } = choiceOf(index);
    await expect(heading).toContainText(`${name} 1.1`);
    await expect(heading).toBeFocused();
    await page.keyboard.press("2");
    await expect(page.getByTestId("file-R/size.R").locator("ins")).toContainText("2");
    await page.keyboard.press("n");
    await expect(page).toHaveURL(/file=DESCRIPTION/);
    await page.keyboard.press("p");
    await expect(page).toHaveURL(/file=R%2Fsize.R/);
    await page.keyboard.press("x");
    await expect(page.getByTestId("file-R/size.R").getByRole("checkbox")).toBeChecked();
    await page.keyboard.press(key);
    if (reason !== "") {
      await expect(page.getByTestId("review-reason-field")).toBeFocused();
      await page.keyboard.type(reason);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Tab");
      await expect(page.getByTestId("dialog-confirm")).toBeFocused();
      await page.keyboard.press("Enter");
    }
    await expect(page.getByTestId("review-announcement")).toContainText(`${name} 1.1: ${running}`);
    if (index === namesOf("keys").length - 1) break;
    await expect(page.getByTestId("review-next")).toBeFocused();
    await page.keyboard.press("Enter");
  }
  await expect(page.getByTestId("review-empty")).toBeVisible();
  await expect(page.locator("body")).not.toHaveAttribute("data-pointer");
  const result = await decided(request, "keys");
  for (const [index, name] of namesOf("keys").entries()) {
    const { state, reason } = choiceOf(index);
    expect([name, result.get(name)?.state]).toEqual([name, state]);
    if (state === "REJECTED") expect(result.get(name)?.reason).toBe(reason);
  }
});

test("releases are decided by pointer alone, each with its difference read", async ({ page, request }) => {
  await submitSeveral(request, "mouse");
  await openQueue(page, "mouse");
  // Only a reason is typed.
  await page.evaluate(() => addEventListener("keydown", () => document.body.setAttribute("data-key", "")));
  await page.getByTestId("release-mouse00").click();
  for (const [index, name] of namesOf("mouse").entries()) {
    const { verb, running, reason } = choiceOf(index);
    await expect(page.getByRole("heading", { level: 1 })).toContainText(`${name} 1.1`);
    await page.getByRole("tab", { name: /^Files/ }).click();
    await page.getByRole("navigation", { name: "Changed files" }).getByText("size.R").click();
    const file = page.getByTestId("file-R/size.R");
    await expect(file.locator("ins")).toContainText("2");
    await file.getByRole("checkbox").click();
    await expect(file.getByRole("checkbox")).toBeChecked();
    await page.getByTestId("review-foot").getByRole("button", { name: verb, exact: true }).click();
    if (reason !== "") {
      await page.getByTestId("review-reason-field").fill(reason);
      await page.getByTestId("dialog-confirm").click();
    }
    await expect(page.getByTestId("review-announcement")).toContainText(`${name} 1.1: ${running}`);
    if (index < namesOf("mouse").length - 1) await page.getByTestId("review-next").click();
  }
  await expect(page.getByTestId("review-empty")).toBeVisible();
  await expect(page.locator("body")).not.toHaveAttribute("data-key");
  const result = await decided(request, "mouse");
  for (const [index, name] of namesOf("mouse").entries())
    expect([name, result.get(name)?.state]).toEqual([name, choiceOf(index).state]);
});

test("releases are decided by what a screen reader reads", async ({ page, request }) => {
  test.setTimeout(240_000);
  await submitSeveral(request, "voice");
  await openQueue(page, "voice");
  const queue = page.getByRole("region", { name: "Releases waiting for you" });
  await queue.getByRole("link", { name: "voice00" }).press("Enter");
  const release = page.getByRole("article", { name: /^voice/ });
  for (const [index, name] of namesOf("voice").entries()) {
    const { verb, running, reason } = choiceOf(index);
    await expect(page.getByRole("article", { name: `${name} 1.1` })).toBeVisible();
    await expect(release.getByRole("heading", { level: 1, name: `${name} 1.1` })).toBeFocused();
    await expect(release.getByRole("region", { name: "Summary" })).toMatchAriaSnapshot(`
      - region "Summary":
        - button /Interface/
        - button /Signals/
        - button /Impact/
        - button /Checks/
    `);
    await release.getByRole("tab", { name: /^Files/ }).press("Enter");
    const file = release.getByRole("article", { name: "R/size.R" });
    await expect(file.getByRole("table", { name: "Differences in R/size.R" })).toMatchAriaSnapshot(`
      - table "Differences in R/size.R":
        - rowgroup:
          - row /removed.*x \\* 1.*added.*x \\* 2/
    `);
    await file.getByRole("checkbox", { name: "R/size.R seen" }).press("Space");
    await expect(file.getByRole("checkbox", { name: "R/size.R seen" })).toBeChecked();
    await release.getByRole("button", { name: verb, exact: true }).press("Enter");
    if (reason !== "") {
      const dialog = page.getByRole("dialog", { name: new RegExp(`${name} 1.1\\?$`) });
      await dialog.getByRole("textbox").fill(reason);
      await dialog.getByRole("button", { name: verb, exact: true }).press("Enter");
    }
    await expect(release.getByRole("status")).toHaveText(new RegExp(`^${name} 1\\.1: ${running} in 2 s`));
    if (index === namesOf("voice").length - 1) break;
    const next = release.getByRole("button", { name: "Next release", exact: true }).last();
    await expect(next).toBeFocused();
    await next.press("Enter");
  }
  // The outcome of the last one is announced once more, with who decided.
  await expect(release.getByRole("status")).toHaveText(/asked for changes/);
  const result = await decided(request, "voice");
  expect([...result.values()].map(({ state }) => state).sort()).toEqual(
    namesOf("voice")
      .map((_, index) => choiceOf(index).state)
      .sort(),
  );
});

test("what another user decides is shown within seconds, and nothing is decided twice", async ({ page, request }) => {
  await submitSeveral(request, "other");
  await openQueue(page, "other");
  await page.keyboard.press("j");
  await expect(page.getByTestId("review-accept")).toBeVisible();
  const opened = Number(/\/review\/R\/(\d+)/.exec(page.url())?.[1]);
  const headers = await authorizationOf(request, "statistics-lead");
  const decide = (id: number, decision: string, reason: string) =>
    request.post(`${api}/submissions/${id}/decision`, { headers, data: { decision, reason } });
  await page.getByTestId("review-note").fill("Fine for me");
  expect((await decide(opened, "REJECTED", "Please **wait**.")).status()).toBe(200);
  const start = Date.now();
  await expect(page.getByTestId("review-decided")).toContainText("Amara Lindqvist rejected other00 1.1");
  expect(Date.now() - start).toBeLessThan(15_000);
  await expect(page.getByTestId("review-accept")).toHaveCount(0);
  // What was typed is still there, and is sent as a comment.
  await expect(page.getByTestId("review-note")).toHaveValue("Fine for me");
  await expect(page.getByTestId("review-send-comment")).toBeVisible();
  await expect(page.getByTestId("release-other00")).toHaveCount(0);

  // A decision that still waits for its seconds, or reaches the server later, names who was faster.
  await page.getByTestId("review-next").click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("other01 1.1");
  await expect(page.getByTestId("review-accept")).toBeVisible();
  const second = Number(/\/review\/R\/(\d+)/.exec(page.url())?.[1]);
  await page.keyboard.press("a");
  expect((await decide(second, "REJECTED", "")).status()).toBe(200);
  await expect(page.getByText(/Your decision came too late: Amara Lindqvist rejected other01 1\.1/)).toBeVisible();
  expect((await decided(request, "other")).get("other01")?.state).toBe("REJECTED");
});

test("an answer to a request for changes is compared with what the reviewer has seen", async ({ page, request }) => {
  const answered = (text: string) => ({
    name: "answered",
    version: "1.0",
    files: { "R/a.R": text, "R/b.R": "b <- 1\n" },
  });
  const first = await submit(request, answered("a <- 1\nlast <- 1\n"));
  const headers = await authorizationOf(request, "admin");
  const post = async (id: number, path: string, data: object) =>
    expect((await request.post(`${api}/submissions/${id}/${path}`, { headers, data })).status()).toBe(200);
  await post(first, "looking", {});
  await post(first, "decision", { decision: "CHANGES", reason: "Rename it." });
  const answer = await submit(request, answered("first <- 1\nlast <- 1\n"));
  await openRelease(page, "answered");
  await expect(page.getByTestId("review-base")).toHaveValue("");
  await page.getByTestId("review-what-changed").click();
  await expect(page).toHaveURL(/base=previous-upload/);
  await expect(page.getByTestId("review-base")).toHaveValue("previous-upload");
  await expect(page.getByTestId("review-what-changed")).toHaveCount(0);
  await page.keyboard.press("2");
  await expect(page.getByRole("navigation", { name: "Changed files" }).getByRole("checkbox")).toHaveCount(1);
  await expect(page.getByTestId("file-R/a.R").getByRole("row").filter({ hasText: "<- 1" })).toHaveCount(2);
  // With the decision, what was replaced is gone: an address with it shows the usual comparison.
  await post(answer, "decision", { decision: "ACCEPTED" });
  await expect(page.getByTestId("review-decided")).toContainText("accepted answered 1.0");
  await page.goto(`/review/R/${answer}?base=previous-upload`);
  await expect(page.getByTestId("toast-warning").filter({ hasText: "ignored: base" })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("answered 1.0");
  await expect(page).not.toHaveURL(/base=/);
  await expect(page.getByTestId("review-base")).toHaveValue("");
});

test("the lines between two changes are shown on demand, side by side and in one column", { tag: longTag }, async ({
  page,
  request,
}) => {
  const text = (...changed: number[]) =>
    Array.from({ length: 200 }, (_, index) => `line_${index + 1} <- ${changed.includes(index + 1) ? 2 : 1}\n`).join("");
  await submitUpdate(request, "gauge", { "R/a.R": text() }, { "R/a.R": text(50, 150) });
  await openRelease(page, "gauge");
  await page.keyboard.press("2");
  const card = page.getByTestId("file-R/a.R");
  const lines = card.getByRole("row").filter({ hasText: "line_" });
  await expect(lines).toHaveCount(14);
  await card.getByRole("button", { name: "Show lines 54–73" }).click();
  await expect(lines).toHaveCount(34);
  await card.getByRole("button", { name: "Show lines 127–146" }).click();
  await expect(lines).toHaveCount(54);
  // Both sides have their numbers.
  await expect(card.getByRole("row").filter({ hasText: "line_60 <-" })).toHaveText(
    /60\s*line_60 <- 1\s*60\s*line_60 <- 1/,
  );
  await card.getByRole("button", { name: "Show all 53 lines" }).click();
  await expect(lines).toHaveCount(107);
  await page.getByTestId("review-columns-one").click();
  await expect(lines).toHaveCount(109);
  await expect(card.getByRole("row").filter({ hasText: "line_60 <-" })).toHaveText(/60\s*line_60 <- 1$/);
  await card.getByRole("button", { name: "Show all 46 lines" }).click();
  const toEnd = () => card.getByRole("table").evaluate((table) => table.scrollIntoView({ block: "end" }));
  await toEnd();
  await card.getByRole("button", { name: "Show all 47 lines" }).click();
  await expect(card.getByRole("button", { name: /^Show (all|lines)/ })).toHaveCount(0);
  await page.getByTestId("review-columns-two").click();
  await toEnd();
  await expect(lines).toHaveCount(200);
});

test("the report compares each file of a release", { tag: longTag }, async ({ page }) => {
  await openRelease(page, "fruitsize");
  await untilQuiet(page);
  await page.emulateMedia({ media: "print" });
  const report = page.getByTestId("review-report");
  const compared = report.getByRole("heading", { level: 2, name: /^Comparison: / });
  await expect(compared).toHaveText([/fruitsize-1\.5\.0\.tar\.gz$/, /fruitsize-1\.5\.0-.*\.whl$/]);
  await expect(report.getByRole("heading", { level: 3, name: "Signals" })).toHaveCount(2);
});

test("a file that is not shown is downloaded, as it was and as it is", { tag: longTag }, async ({ page, request }) => {
  const large = (word: string) => `${word}\n`.repeat(900_000);
  const files = (byte: string, word: string) => ({ "inst/a.bin": `\u0000${byte}`, "inst/large.txt": large(word) });
  await submitUpdate(request, "bollard", files("\u0001", "before"), files("\u0002", "after"));
  await openRelease(page, "bollard");
  await page.keyboard.press("2");
  await expect(page.getByTestId("file-inst/large.txt")).toContainText("too large to show here");
  for (const [path, side, bytes] of [
    ["inst/a.bin", "old", Buffer.from("\u0000\u0001")],
    ["inst/a.bin", "new", Buffer.from("\u0000\u0002")],
    ["inst/large.txt", "old", Buffer.from(large("before"))],
  ] as const) {
    const download = page.waitForEvent("download");
    await page
      .getByTestId(`file-${path}`)
      .getByRole("button", { name: `Download the ${side} file` })
      .click();
    const saved = await (await download).path();
    expect((await readFile(saved)).equals(bytes)).toBe(true);
  }
});

test("a release with thousands of files is drawn as it scrolls into view", { tag: longTag }, async ({
  page,
  request,
}) => {
  const count = 5000;
  const files = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`inst/${index % 50}/file${index}.txt`, `${index}\n`]),
  );
  await submit(request, { name: "manifold", version: "1.0", files });
  await openRelease(page, "manifold");
  await expect(page.getByTestId("review-indicators")).toBeVisible({ timeout: 60_000 });
  await page.locator("#review-tab-files").click();
  const tree = page.getByRole("navigation", { name: "Changed files" });
  await expect(tree.getByRole("button").first()).toBeVisible();
  expect(await tree.getByRole("button").count()).toBeLessThan(count / 10);
  expect(await page.locator("article[data-path]").count()).toBeLessThan(count / 10);
  // What is far down is there once it is opened by its address.
  await page.goto(`${page.url()}&file=inst%2F9%2Ffile4959.txt`);
  await expect(page.getByTestId("file-inst/9/file4959.txt")).toBeInViewport({ timeout: 60_000 });
  await expect(tree.getByRole("button", { name: "file4959.txt" })).toBeInViewport();
});

test("required checks, an assignment and an assessment are set in the console and shown where they matter", {
  tag: longTag,
}, async ({ page, request }) => {
  await submit(request, { name: "sextant", version: "1.0", files: {} });
  await signInAs(page, "admin");
  const requireChecks = async (names: string) => {
    await page.goto("/repositories?search=stats-release");
    await page
      .getByTestId(/^edit-/)
      .first()
      .click();
    await page.getByTestId("field-requiredChecks").fill(names);
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  };
  await requireChecks("R CMD check\nlicenses\n\n");
  await openRelease(page, "sextant");
  await expect(page.getByTestId("review-summary")).toContainText(
    "2 required checks have not passed R CMD check, licenses",
  );
  await page.getByTestId("review-assignee").selectOption({ label: "Amara Lindqvist" });
  await expect(page.getByTestId("release-sextant")).toContainText("assigned");
  await page.getByTestId("review-filter").click();
  const assignedToMe = page.getByLabel("Only releases assigned to me");
  await assignedToMe.check();
  await expect(page.getByTestId("review-empty")).toBeVisible();
  await expect(page).toHaveURL(/assignedToMe=true/);
  await assignedToMe.uncheck();
  await expect(page.getByTestId("release-sextant")).toBeVisible();
  await page.getByTestId("review-assignee").selectOption({ label: "Maren Castell (you)" });
  await assignedToMe.check();
  await expect(page).toHaveURL(/assignedToMe=true/);
  await expect(page.getByTestId("release-sextant")).toContainText("assigned");
  await page.getByTestId("review-assessment").selectOption({ label: "high risk" });
  await page.getByTestId("review-assessment-comment").fill("Computes **doses**.");
  await page.getByTestId("review-assessment-save").click();
  await expect(page.getByTestId("review-assessment-save")).toHaveCount(0);

  await page.getByTestId("review-accept").click();
  const dialog = page.getByTestId("dialog-review-reason");
  await expect(dialog).toContainText("R CMD check, licenses");
  await expect(page.getByTestId("dialog-confirm")).toHaveAttribute("aria-disabled", "true");
  await page.getByTestId("review-reason-field").fill("Checked by hand");
  await page.getByTestId("dialog-confirm").click();
  await expect(page.getByTestId("review-decided")).toContainText("Checked by hand");
  await requireChecks("");

  // The submitter may read the review, other users may not.
  for (const [login, reads] of [
    ["user", true],
    ["intern", false],
  ] as const) {
    await signInAs(page, login);
    await page.goto("/packages?search=sextant");
    await page.getByRole("rowheader").first().getByRole("link").click();
    await expect(page.getByTestId("description")).toBeVisible();
    await untilQuiet(page);
    const card = page.getByTestId("card-assessment");
    await expect(card).toHaveCount(reads ? 1 : 0);
    if (!reads) continue;
    await expect(card).toContainText("high");
    await expect(card.locator("strong")).toHaveText("doses");
  }
});
