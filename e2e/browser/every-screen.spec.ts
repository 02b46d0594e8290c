import AxeBuilder from "@axe-core/playwright";
import { afterFirst, isLong } from "@packhouse/fixtures/long-form";
import { expect, type Page } from "@playwright/test";
import { type DeskState, serveDesk } from "./desk-answers.ts";
import { untilQuiet } from "./quiet.ts";
import { choose, signInAs } from "./sign-in-as.ts";
import { test } from "./test.ts";

/** Every screen with something to wait for; what is opened on it is its last step. */
interface Scene {
  name: string;
  address: string;
  ready: string;
  open?(page: Page): Promise<unknown>;
  /** For screens of the review desk, which the demo has only some of. */
  desk?: DeskState;
  /** Consists of much the same as other scenes: only in the long form. */
  longOnly?: true;
}

const first = (page: Page, testId: string | RegExp) => page.getByTestId(testId).filter({ visible: true }).first();
const followFirstRow = async (page: Page, ready: string) => {
  await page.getByRole("rowheader").first().getByRole("link").click();
  await expect(page.getByTestId(ready)).toBeVisible();
  // Cards that appear later move those below them.
  await untilQuiet(page);
};

const screens: readonly Scene[] = [
  { name: "packages", address: "/packages", ready: "table-packages" },
  {
    name: "a package of R",
    address: "/packages?search=tidyloom",
    ready: "table-packages",
    open: (page) => followFirstRow(page, "description"),
  },
  {
    name: "a package of Python",
    address: "/packages?search=gradeline&submissionState=ACCEPTED",
    ready: "table-packages",
    open: (page) => followFirstRow(page, "description"),
    longOnly: true,
  },
  { name: "repositories", address: "/repositories", ready: "table-repositories" },
  {
    name: "a repository",
    address: "/repositories?search=stats",
    ready: "table-repositories",
    open: (page) => followFirstRow(page, "screen-repositoryDetails"),
    longOnly: true,
  },
  { name: "submissions", address: "/submissions", ready: "table-submissions" },
  { name: "the queue of the desk", address: "/review", ready: "release-cropcurve", desk: "waiting" },
  { name: "an empty queue", address: "/review", ready: "review-empty", desk: "empty" },
  { name: "a queue that fails", address: "/review", ready: "failed-load", desk: "failing", longOnly: true },
  ...(
    [
      ["the overview", "R/802", "review-indicators"],
      ["files", "R/802?tab=files&file=R%2Ffit.R", "file-R/fit.R"],
      ["the interface", "R/802?tab=interface", "review-panel"],
      ["the conversation", "R/802?tab=conversation", "review-comment"],
    ] as const
  ).map(([name, address, ready]) => ({ name, address: `/review/${address}`, ready, desk: "waiting" as const })),
  ...(
    [
      ["dependencies", "R/802?tab=dependencies", "review-panel"],
      ["the preview", "R/802?tab=install", "review-panel"],
      ["a release that was not inspected completely", "Python/803", "review-indicators"],
      ["a release that was decided", "R/806", "review-decided"],
      ["a new package", "R/804", "review-indicators"],
      ["a release that is being inspected", "R/805", "review-accept"],
      ["a release with checks that failed", "R/807", "review-indicators"],
    ] as const
  ).map(
    ([name, address, ready]): Scene => ({
      name,
      address: `/review/${address}`,
      ready,
      desk: "waiting",
      longOnly: true,
    }),
  ),
  { name: "a release that fails", address: "/review/R/802", ready: "failed-load", desk: "failing", longOnly: true },
  { name: "upload", address: "/upload-packages", ready: "screen-addSubmission" },
  { name: "package maintainers", address: "/package-maintainers", ready: "table-packageMaintainers", longOnly: true },
  {
    name: "repository maintainers",
    address: "/repository-maintainers",
    ready: "table-repositoryMaintainers",
    longOnly: true,
  },
  { name: "users", address: "/users", ready: "table-users" },
  { name: "events", address: "/events", ready: "timeline" },
  { name: "events as a table", address: "/events?view=table", ready: "events-table", longOnly: true },
  { name: "security events", address: "/events?security=true", ready: "timeline", longOnly: true },
  {
    name: "security events as a table",
    address: "/events?security=true&view=table",
    ready: "events-table",
    longOnly: true,
  },
  { name: "access tokens", address: "/settings-tokens", ready: "screen-settingsTokens", longOnly: true },
  { name: "security", address: "/settings-security", ready: "second-factors" },
  { name: "sessions", address: "/settings-sessions", ready: "end-others", longOnly: true },
  { name: "the password", address: "/settings-password", ready: "field-currentPassword", longOnly: true },
  { name: "settings", address: "/settings-general", ready: "screen-settingsGeneral" },
  { name: "table settings", address: "/settings-general?tab=tables", ready: "field-pageSize", longOnly: true },
  { name: "nothing found", address: "/packages?search=nothing-is-called-so", ready: "empty", longOnly: true },
  { name: "the trash", address: "/packages?deleted=true", ready: "table-packages", longOnly: true },
  { name: "not found", address: "/no-such-page", ready: "screen-pageNotFound", longOnly: true },
];

const opened: readonly Scene[] = [
  {
    name: "the report of a release",
    address: "/review/R/802",
    ready: "review-indicators",
    desk: "waiting",
    open: (page) => page.emulateMedia({ media: "print" }),
  },
  {
    name: "the filter of the desk",
    address: "/review",
    ready: "release-cropcurve",
    desk: "waiting",
    open: (page) => page.getByTestId("review-filter").click(),
    longOnly: true,
  },
  {
    name: "several releases that are decided",
    address: "/review",
    ready: "release-cropcurve",
    desk: "waiting",
    async open(page) {
      await page.getByTestId("review-select-all").click();
      await page.getByTestId("bulk-reject").click();
      await expect(page.getByTestId("dialog-bulk-review")).toBeVisible();
    },
  },
  {
    name: "the reason of a decision",
    address: "/review/R/807",
    ready: "review-accept",
    desk: "waiting",
    async open(page) {
      await page.getByTestId("review-accept").click();
      await expect(page.getByTestId("dialog-review-reason")).toContainText("licenses");
    },
  },
  {
    name: "the search",
    address: "/packages",
    ready: "table-packages",
    async open(page) {
      await first(page, "search").click();
      await page.getByTestId("palette-search").fill("grade");
      await expect(page.getByTestId("palette")).toContainText("gradeline");
    },
  },
  {
    name: "the notifications",
    address: "/packages",
    ready: "table-packages",
    open: (page) => first(page, "topbar-notifications").click(),
    longOnly: true,
  },
  {
    name: "the languages",
    address: "/packages",
    ready: "table-packages",
    open: (page) => first(page, "topbar-language").click(),
    longOnly: true,
  },
  {
    name: "the keys",
    address: "/packages",
    ready: "table-packages",
    open: (page) => page.keyboard.press("?"),
    longOnly: true,
  },
  {
    name: "a filter",
    address: "/packages",
    ready: "table-packages",
    open: (page) => first(page, "filter-submissionState").click(),
  },
  {
    name: "a calendar",
    address: "/submissions",
    ready: "table-submissions",
    open: (page) => page.getByTestId("filter-fromDate").click(),
  },
  {
    name: "an open row",
    address: "/repositories",
    ready: "table-repositories",
    open: (page) => page.getByRole("row").nth(2).press("Enter"),
  },
  {
    name: "a selection",
    address: "/submissions",
    ready: "table-submissions",
    open: (page) => page.getByTestId("select-all").click(),
    longOnly: true,
  },
  {
    name: "a bulk dialog",
    address: "/submissions",
    ready: "table-submissions",
    async open(page) {
      await page.getByTestId("select-all").click();
      await page.getByTestId("bulk-reject").click();
    },
  },
  ...["/repositories", "/package-maintainers", "/repository-maintainers", "/settings-tokens"].map((address) => ({
    name: `what is added at ${address}`,
    address,
    ...(address.endsWith("-maintainers") ? { longOnly: true as const } : {}),
    ready: "add",
    open: (page: Page) => first(page, "add").click(),
  })),
  ...[
    { address: "/repositories", button: /^edit-/ },
    { address: "/repositories", button: /^republish-/, longOnly: true as const },
    { address: "/repositories", button: /^delete-/, longOnly: true as const },
    { address: "/package-maintainers", button: /^edit-/, longOnly: true as const },
    { address: "/package-maintainers", button: /^delete-/, longOnly: true as const },
    { address: "/repository-maintainers", button: /^edit-/, longOnly: true as const },
    { address: "/users?search=lea", button: /^edit-/ },
    { address: "/users?search=lea", button: /^delete-/, longOnly: true as const },
  ].map(({ button, ...scene }) => ({
    ...scene,
    name: `${button.source} at ${scene.address}`,
    ready: "refresh",
    async open(page: Page) {
      await page.getByRole("rowheader").first().waitFor();
      await first(page, button).click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  })),
  {
    name: "a vignette",
    address: "/packages?search=cropcurve&submissionState=ACCEPTED",
    ready: "table-packages",
    async open(page) {
      await followFirstRow(page, "card-vignettes");
      await page.getByTestId("card-vignettes").getByRole("link").first().click();
      await expect(page.locator("iframe")).toBeVisible();
    },
    longOnly: true,
  },
  {
    name: "a manual",
    address: "/packages?search=tidetable&submissionState=ACCEPTED",
    ready: "table-packages",
    async open(page) {
      await followFirstRow(page, "card-files");
      await page.getByTestId("read-manual").click();
      await expect(page.locator("iframe")).toBeVisible();
    },
  },
  {
    name: "who is signed in, on a phone",
    address: "/packages",
    ready: "table-packages",
    async open(page) {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByTestId("topbar-user").click();
    },
  },
];

/**
 * Opens an address without loading the console again, which takes most of the time of a scene. The page in between has
 * nothing of the scene before: no open dialog, no selection.
 */
async function goWithin(page: Page, address: string): Promise<void> {
  const go = (to: string) => page.evaluate((it) => history.pushState(null, "", it), to);
  await go("/no-such-page");
  await expect(page.getByTestId("screen-pageNotFound")).toBeVisible();
  await go(address);
}

async function expectNoViolations(page: Page, where: string): Promise<void> {
  // What others wrote stands in a frame of its own. Without frames, axe needs no second page to sum up on.
  const { violations } = await new AxeBuilder({ page })
    .exclude("iframe")
    .setLegacyMode()
    .options({ resultTypes: ["violations"] })
    .analyze();
  expect
    .soft(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`),
      where,
    )
    .toEqual([]);
}

/** Nothing but code may scroll sideways, once the page has followed the window. */
async function expectToFit(page: Page, where: string): Promise<void> {
  const sideways = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.configure({ soft: true }).poll(sideways, { message: where }).toBeLessThanOrEqual(0);
}

test.describe.configure({ mode: "parallel" });
// Colors are measured once all animations have ended.

/** Each theme, language and width once; `console/ui/contrast.test.ts` has the colors of the other combinations. */
const variants = [
  { theme: "dark", language: "en", width: 1440 },
  { theme: "light", language: "pl", width: 390 },
] as const;

/** `npm test` has the screens in the first variant and dialogs in the other; `npm run test:long -- browser` all in both. */
const chosen = (scenes: readonly Scene[]): readonly Scene[] =>
  isLong ? scenes : scenes.filter((scene) => !scene.longOnly);

for (const [variant, { theme, language, width }] of variants.entries()) {
  test.describe(`in ${theme} and ${language}`, () => {
    test.beforeEach(async ({ page }) => {
      test.setTimeout(300_000);
      await signInAs(page, "admin");
      await choose(page, theme, language);
      await page.goto("/packages");
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", theme);
    });
    // The other specs read English.
    test.afterEach(({ page }) => choose(page, "dark", "en"));

    const show = async (page: Page, { address, ready, open, desk }: Scene, before: Scene | undefined) => {
      await page.emulateMedia({ media: null });
      await page.unrouteAll({ behavior: "ignoreErrors" });
      if (desk) await serveDesk(page, desk);
      // The console keeps for a while what another server answered.
      if (desk !== before?.desk) await page.goto(address);
      else await goWithin(page, address);
      await expect(first(page, ready)).toBeVisible();
      await open?.(page);
      await untilQuiet(page);
    };

    test(`every screen is accessible at ${width}, and fits wide and narrow`, afterFirst(variant), async ({ page }) => {
      for (const [index, scene] of chosen(screens).entries()) {
        await page.setViewportSize({ width: 1440, height: 900 });
        await show(page, scene, chosen(screens)[index - 1]);
        for (const fitting of [1440, 390, 320]) {
          await page.setViewportSize({ width: fitting, height: 900 });
          await expectToFit(page, `${scene.name} at ${fitting}`);
          if (fitting === width) await expectNoViolations(page, `${scene.name} at ${fitting}`);
        }
      }
    });

    test("every dialog and menu is accessible", afterFirst(1 - variant), async ({ page }) => {
      for (const [index, scene] of chosen(opened).entries()) {
        await page.setViewportSize({ width: 1440, height: 900 });
        await show(page, scene, chosen(opened)[index - 1]);
        await expectNoViolations(page, scene.name);
      }
    });
  });
}

test("the sign-in is accessible and fits, wide and narrow", async ({ page }) => {
  for (const width of [1440, 390, 320]) {
    await page.setViewportSize({ width, height: 700 });
    await page.goto("/login");
    await expect(page.getByTestId("login-submit")).toBeVisible();
    await expectNoViolations(page, `${width}`);
    await expectToFit(page, `${width}`);
  }
});
