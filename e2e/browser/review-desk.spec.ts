import AxeBuilder from "@axe-core/playwright";
import { isLong, longTag } from "@packhouse/fixtures/long-form";
import { expect, type Page } from "@playwright/test";
import { type Sent, serveDesk } from "./desk-answers.ts";
import { longFileLines } from "./desk-releases.ts";
import { choose, signInAs } from "./sign-in-as.ts";
import { test } from "./test.ts";

async function openDesk(page: Page, address = "/review"): Promise<Sent[]> {
  // Before the first screen asks whether there is a desk.
  const sent = await serveDesk(page);
  await signInAs(page, "admin");
  await page.goto(address);
  await expect(page.getByTestId("screen-review")).toBeVisible();
  return sent;
}

test("the desk opens from the drawer, and a release by a key, with its name read out", async ({ page }) => {
  await openDesk(page);
  await expect(page.getByTestId("review-queue")).toContainText("4 releases");
  await page.keyboard.press("j");
  await expect(page).toHaveURL(/\/review\/Python\/801/);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await page.keyboard.press("j");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("cropcurve 1.11.0");
  await expect(page.getByTestId("review-summary")).toContainText("1 breaking change in a minor release");
  await expect(page.getByTestId("review-summary")).toContainText("2 warnings 2 notices, 1 info item");
  await expect(page.getByTestId("review-summary")).toContainText(
    "Needs tidyloom, which is not available 2 packages need it, 1 would break",
  );
});

test("the numbers open the tabs, which the address keeps", { tag: longTag }, async ({ page }) => {
  await openDesk(page, "/review/R/802");
  await expect(page.getByRole("heading", { name: /cropcurve/ })).toBeVisible();
  for (const [key, tab, text] of [
    ["3", "interface", "lot moved, which changes the meaning of positional calls"],
    ["4", "dependencies", "harvest.calendar"],
    ["5", "install", "Try it before you decide"],
    ["6", "conversation", "Adds intervals for the final size"],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page).toHaveURL(new RegExp(`tab=${tab}`));
    await expect(page.getByRole("tab", { selected: true })).toHaveId(`review-tab-${tab}`);
    await expect(page.getByTestId("screen-review")).toContainText(text);
  }
  await page.keyboard.press("1");
  await expect(page).not.toHaveURL(/tab=/);
});

test("files are read, marked as seen and commented on by keyboard", async ({ page }) => {
  const sent = await openDesk(page, "/review/R/802?tab=files&file=R%2Ffit.R");
  const card = page.getByTestId("file-R/fit.R");
  await expect(card.getByRole("table", { name: "Differences in R/fit.R" })).toContainText("over_parts(parts");
  // In several parts once its syntax is highlighted.
  await expect.poll(async () => (await card.locator("ins").allInnerTexts()).join("")).toBe("over_parts(parts");
  await page.keyboard.press("c");
  await page.getByTestId("review-comment-field").fill("Why not **lapply**?");
  await page.getByTestId("review-comment-send").click();
  await expect(card.locator("strong")).toHaveText("lapply");
  await page.getByRole("heading", { level: 1 }).focus();
  await page.keyboard.press("x");
  await expect(card.getByRole("checkbox", { name: "R/fit.R seen" })).toBeChecked();
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/file=R%2Fstarting-values.R/);
  expect(sent.map(({ path }) => path)).toEqual(["802/comments", "802/marks"]);
});

test("what was seen stays so until its content changes, also of a file that is gone", { tag: longTag }, async ({
  page,
}) => {
  await openDesk(page, "/review/R/802?tab=files&file=R%2Fstarting-values.R");
  const tree = page.getByRole("navigation", { name: "Changed files" });
  const gone = tree.getByRole("checkbox", { name: "R/starting-values.R seen" });
  await gone.check();
  // As the server keeps it of a file that had other bytes when it was seen.
  await page.evaluate(() =>
    fetch("/api/v2/manager/submissions/802/marks", {
      method: "POST",
      body: JSON.stringify({ path: "R/fit.R", sha256: "before", seen: true }),
    }),
  );
  await page.reload();
  await expect(gone).toBeChecked();
  await expect(tree.getByRole("checkbox", { name: "R/fit.R seen" })).not.toBeChecked();
  await expect(page.getByTestId("file-R/fit.R")).toContainText("changed since you saw it");
  await expect(page.getByTestId("review-files")).toContainText("1 changed since you saw it");
  await tree.getByRole("checkbox", { name: "R/fit.R seen" }).check();
  await expect(page.getByTestId("review-files")).not.toContainText("changed since you saw it");
});

test("the report has all that is folded on the screen", { tag: longTag }, async ({ page }) => {
  await openDesk(page, "/review/R/807");
  await expect(page.getByTestId("review-indicators")).toBeVisible();
  await page.emulateMedia({ media: "print" });
  const report = page.getByTestId("review-report");
  for (const text of [
    `tidegate_1.0.0.tar.gz, 96 kB, clear SHA-256 ${"807".padStart(64, "0")}`,
    "Waiting for changes · May decide: statistics-lead, package-maintainer",
    "tidegate_1.0.0.tar.gz, compared with 0.9.0 in stats-release",
    "not on this server",
    "asked for changes",
  ])
    await expect(report).toContainText(text);
  await expect(report.getByText("1 error, 2 notes")).toBeVisible();
  await page.emulateMedia({ media: "screen" });
  await page.getByTestId("review-base").selectOption("none");
  await expect(page).toHaveURL(/base=none/);
  await page.emulateMedia({ media: "print" });
  await expect(report).toContainText("tidegate_1.0.0.tar.gz, without a base");
  await expect(report.getByText("no visible binding for `parts`")).toBeVisible();
});

test("a long file is drawn as it scrolls into view, and a very large one says so", { tag: longTag }, async ({
  page,
}) => {
  await openDesk(page, "/review/R/802?tab=files&file=R%2Fworkers.R");
  const card = page.getByTestId("file-R/workers.R");
  await expect(card.getByRole("button", { name: "Comment on line 1 of R/workers.R", exact: true })).toBeAttached();
  expect(await card.locator("tr").count()).toBeLessThan(longFileLines / 4);
  await expect(page.getByTestId("file-inst/extdata/plots.geojson")).toContainText("too large to show here");
});

test("a release is accepted by keyboard, and undone before it is sent", async ({ page }) => {
  const sent = await openDesk(page, "/review/R/802");
  await expect(page.getByTestId("review-accept")).toBeEnabled();
  await page.getByRole("heading", { level: 1 }).focus();
  await page.keyboard.press("a");
  await expect(page.getByTestId("review-foot")).toContainText("Accepting");
  await page.keyboard.press("u");
  await expect(page.getByTestId("review-accept")).toBeVisible();
  expect(sent).toEqual([]);
  await page.keyboard.press("a");
  // Going on to the next release does not send it any sooner, and it can still be undone from there.
  await page.keyboard.press("j");
  await expect(page.getByTestId("release-cropcurve")).toContainText("Accepting");
  await expect(page.getByTestId("release-cropcurve")).toHaveCount(0);
  expect(sent).toEqual([{ path: "802/decision", body: { decision: "ACCEPTED", files: [802] } }]);
});

test("a rejection asks for a reason, and changes cannot be asked for without saying which", { tag: longTag }, async ({
  page,
}) => {
  const sent = await openDesk(page, "/review/R/802");
  await expect(page.getByTestId("review-accept")).toBeEnabled();
  await page.getByRole("heading", { level: 1 }).focus();
  await page.keyboard.press(".");
  await expect(page.getByTestId("dialog-confirm")).toHaveAttribute("aria-disabled", "true");
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { level: 1 }).focus();
  await page.keyboard.press("r");
  await page.getByTestId("review-reason-field").fill("Please keep the order.");
  await page.getByTestId("dialog-confirm").click();
  await expect(page.getByTestId("review-decided")).toContainText("Please keep the order.");
  expect(sent).toEqual([
    { path: "802/decision", body: { decision: "REJECTED", files: [802], reason: "Please keep the order." } },
  ]);
});

test("several are decided together, those not opened only after they were confirmed", async ({ page }) => {
  const sent = await openDesk(page);
  await page.getByRole("checkbox", { name: "Select cropcurve 1.11.0" }).check();
  await page.getByRole("checkbox", { name: "Select hailmap 0.1.0" }).check();
  await page.getByTestId("bulk-accept").click();
  const confirm = page.getByTestId("dialog-confirm");
  await expect(confirm).toHaveAttribute("aria-disabled", "true");
  const dialog = page.getByTestId("dialog-bulk-review");
  await expect(dialog.getByRole("listitem")).toHaveText([
    /cropcurve 1\.11\.0.*stats-release.*2 warnings.*opened/,
    /hailmap 0\.1\.0.*stats-release.*clear$/,
  ]);
  await expect(dialog).toContainText("You have not opened these: hailmap 0.1.0");
  await page.getByTestId("bulk-anyway").check();
  await confirm.click();
  await expect(page.getByTestId("review-queue")).toContainText("2 releases");
  expect(sent.map(({ path }) => path).sort()).toEqual(["802/decision", "804/decision"]);
});

test("a filter that finds nothing is reset, with what was typed in it", { tag: longTag }, async ({ page }) => {
  await openDesk(page);
  await page.getByTestId("review-filter").click();
  const search = page.getByRole("searchbox", { name: "Search" });
  await search.fill("weather");
  await expect(page).toHaveURL(/search=weather/);
  await page.getByTestId("review-level").selectOption("info");
  await page.getByTestId("review-empty").getByRole("button", { name: "Reset the filter" }).click();
  await expect(search).toHaveValue("");
  await expect(page).not.toHaveURL(/search=/);
  await expect(page.getByTestId("review-queue")).toContainText("4 releases");
});

test("on a phone, the queue leads to the release and to one file, and back", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openDesk(page);
  await page.getByRole("link", { name: "cropcurve" }).click();
  await expect(page.getByTestId("review-queue")).toBeHidden();
  await page.getByTestId("review-tab-files").click();
  await page.getByRole("button", { name: "fit.R", exact: true }).click();
  await expect(page.getByTestId("file-R/fit.R")).toContainText("over_parts");
  await expect(page.getByTestId("file-R/workers.R")).toHaveCount(0);
  await page.getByRole("link", { name: "Back to the queue" }).click();
  await expect(page.getByTestId("review-queue")).toBeVisible();
});

test("on a phone, a note goes with any decision", { tag: longTag }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const sent = await openDesk(page, "/review/R/802");
  const note = page.getByTestId("review-note");
  await expect(page.getByTestId("review-accept")).toBeVisible();
  await expect(note).toBeHidden();
  await page.getByTestId("review-note-open").click();
  await note.fill("Thank you.");
  await page.getByTestId("review-accept").click();
  await expect(page.getByTestId("release-cropcurve")).toHaveCount(0);
  expect(sent).toEqual([{ path: "802/decision", body: { decision: "ACCEPTED", files: [802], reason: "Thank you." } }]);
});

/** In `npm test` these are among the screens of `every-screen.spec.ts`, which are loaded wide. */
const loadedAt = [
  ["dark", "en", 1440],
  ["light", "pl", 390],
] as const;
for (const [theme, language, width] of isLong ? loadedAt : [])
  test(`the desk is accessible: ${theme}, ${language}, ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
    await serveDesk(page);
    await signInAs(page, "admin");
    await choose(page, theme, language);
    const found: Record<string, unknown> = {};
    for (const address of [
      "/review",
      "/review/R/802",
      ...["files&file=R%2Ffit.R", "interface", "dependencies", "install", "conversation"].map(
        (tab) => `/review/R/802?tab=${tab}`,
      ),
    ]) {
      await page.goto(address);
      await expect(page.getByTestId("screen-review")).toBeVisible();
      await expect(page.getByTestId("release-cropcurve").or(page.getByTestId("review-summary")).first()).toBeAttached();
      const { violations } = await new AxeBuilder({ page }).analyze();
      if (violations.length > 0)
        found[address] = violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html)]);
    }
    await choose(page, "dark", "en");
    expect(found).toEqual({});
  });

test("a waiting submission opens on the desk from the list, with what its archive contains", { tag: longTag }, async ({
  page,
}) => {
  await signInAs(page, "admin");
  await page.goto("/submissions?search=orchardstats&state=WAITING");
  await page
    .getByTestId(/^review-\d+$/)
    .first()
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("orchardstats 0.45.0");
  await expect(page.getByTestId("review-indicators")).toBeVisible();
  await page.getByTestId("review-tab-files").click();
  await expect(page.getByTestId("file-DESCRIPTION").getByRole("table")).toContainText("0.45.0");
  await page.getByTestId("review-tab-conversation").click();
  await page.getByTestId("review-comment").fill("Which *field* was this?");
  await page.getByTestId("review-comment-add").click();
  await expect(page.getByTestId(/^comment-text-/).locator("em")).toHaveText("field");
});
