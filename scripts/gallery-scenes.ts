import type { Page } from "@playwright/test";

/** One picture: the user, the screen, and the steps before it. */
export interface Scene {
  name: string;
  /** Empty: nobody is signed in. */
  login: string;
  address: string;
  prepare?(page: Page): Promise<void>;
}

const asAdmin = (name: string, address: string, prepare?: Scene["prepare"]): Scene => ({
  name,
  login: "admin",
  address,
  ...(prepare ? { prepare } : {}),
});
/** The box of a row, because narrow screens have none above the rows. */
const selectRows = async (page: Page) => {
  const boxes = page.getByTestId(/^select-\d+$/);
  await boxes.first().waitFor();
  for (const box of (await boxes.all()).slice(0, 4)) await box.check();
};
const click =
  (...testIds: string[]) =>
  async (page: Page) => {
    for (const testId of testIds) await page.getByTestId(testId).first().click();
  };
const clickMatching = (pattern: RegExp) => async (page: Page) => {
  await page.locator(`[data-testid]`).filter({ visible: true }).and(page.getByTestId(pattern)).first().click();
};
const openFirstPackage = async (page: Page) => {
  await page.getByRole("rowheader").first().getByRole("link").click();
  await page.getByTestId("description").or(page.getByTestId("install-command")).first().waitFor();
  await page.waitForLoadState("networkidle");
};
const openReview = (tab: string) => async (page: Page) => {
  await page
    .getByTestId(/^review-\d+$/)
    .first()
    .click();
  await page.getByTestId("review-indicators").waitFor();
  await page.getByTestId(`review-tab-${tab}`).click();
  // The demo has just started; the queue is loaded again now and then.
  const inspecting = page.getByText(/being inspected|trwa badanie/);
  await inspecting.first().waitFor({ state: "hidden", timeout: 90_000 });
};
const failing = (pattern: string) => async (page: Page) => {
  await page.route(pattern, (route) =>
    route.fulfill({
      status: 500,
      contentType: "application/json",
      body: JSON.stringify({
        status: "ERROR",
        code: 500,
        message: "",
        messageCode: "internal.error",
        data: { traceId: "6f1d2c3b4a596877", timestamp: "2026-11-21T10:00:00Z" },
      }),
    }),
  );
  await page.reload();
};

/** What a user might drop: one that is no package, one that is damaged, one of the wrong kind. */
const uploadedFiles = [
  { name: "tidyloom_2.5.0.tar.gz", mimeType: "application/gzip", buffer: Buffer.from([0x1f, 0x8b, 8, 0, 0, 0]) },
  { name: "weighbridge-4.5.0-py3-none-any.whl", mimeType: "application/zip", buffer: Buffer.from("PK") },
  { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no package") },
];

const long = "aVeryLongNameThatSomebodyGaveToAPackageBecauseNothingKeptHimFromIt.withADot.andMore";

/** As many letters as a name may have, wherever names stand. */
const withLongNames = (pattern: string) => async (page: Page) => {
  const lengthen = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(lengthen);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, key === "name" || key === "title" ? long : lengthen(inner)]),
    );
  };
  await page.route(`**/api/v2/manager/${pattern}`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: lengthen(await response.json()) });
  });
  await page.reload();
  await page.getByRole("rowheader").first().waitFor();
};

export const scenes: readonly Scene[] = [
  { name: "login", login: "", address: "/login" },
  {
    name: "login-failed",
    login: "",
    address: "/login",
    prepare: async (page) => {
      await page.getByTestId("field-login").fill("ada");
      await page.getByTestId("field-password").fill("wrong");
      await page.getByTestId("login-submit").click();
      await page.getByTestId("toast-error").waitFor();
    },
  },
  asAdmin("packages", "/packages?technology=R"),
  asAdmin("packages-open-row", "/packages", async (page) => page.getByRole("row").nth(2).press("Enter")),
  asAdmin("packages-selected", "/packages", selectRows),
  asAdmin("packages-delete", "/packages?technology=R", async (page) => {
    await selectRows(page);
    await click("bulk-delete")(page);
  }),
  asAdmin("packages-empty", "/packages?search=nothing-is-called-so"),
  asAdmin("packages-failed", "/packages", failing("**/api/v2/manager/packages?*")),
  asAdmin("packages-loading", "/packages", async (page) => {
    await page.route("**/api/v2/manager/packages?*", () => {}); // never answers
    await page.reload();
    await page.getByTestId("table-packages").waitFor();
  }),
  asAdmin("packages-long-names", "/packages", withLongNames("packages?*")),
  asAdmin("submissions-long-names", "/submissions", withLongNames("submissions?*")),
  asAdmin("packages-one-row", "/packages?search=grainplot&submissionState=ACCEPTED"),
  asAdmin("packages-trash", "/packages?deleted=true"),
  asAdmin("package", "/packages?search=gradeline", openFirstPackage),
  asAdmin("package-r", "/packages?search=cropcurve&submissionState=ACCEPTED", openFirstPackage),
  asAdmin("package-vignette", "/packages?search=cropcurve&submissionState=ACCEPTED", async (page) => {
    await openFirstPackage(page);
    await page.getByTestId("card-vignettes").getByRole("link").first().click();
  }),
  asAdmin("repositories", "/repositories"),
  asAdmin("repositories-open-row", "/repositories", async (page) => page.getByRole("row").nth(2).press("Enter")),
  asAdmin("repository", "/repositories?technology=R", async (page) => {
    await page.getByRole("rowheader").first().getByRole("link").click();
    await page.getByTestId("screen-repositoryDetails").waitFor();
    await page.waitForLoadState("networkidle");
  }),
  asAdmin("repository-create", "/repositories", click("add")),
  asAdmin("repository-delete", "/repositories", clickMatching(/^delete-/)),
  asAdmin("submissions", "/submissions"),
  asAdmin("submissions-held", "/submissions?state=WAITING", clickMatching(/^accept-/)),
  asAdmin("submissions-bulk", "/submissions", async (page) => {
    await selectRows(page);
    await click("bulk-accept")(page);
  }),
  asAdmin("submissions-notes", "/submissions?search=orchardstats", clickMatching(/^notes-/)),
  asAdmin("submissions-dates", "/submissions?fromDate=2026-10-05", async (page) => {
    if (await page.getByTestId("filters-toggle").isVisible()) await page.getByTestId("filters-toggle").click();
    await click("filter-toDate")(page);
  }),
  asAdmin("review", "/submissions?search=tidyloom&state=WAITING", openReview("overview")),
  asAdmin("review-files", "/submissions?search=seedbankr&state=WAITING", openReview("files")),
  asAdmin("review-dependencies", "/submissions?search=grainplot&state=WAITING", openReview("dependencies")),
  asAdmin("review-install", "/submissions?search=weighbridge&state=WAITING", openReview("install")),
  asAdmin("review-queue", "/review?all=true", async (page) => page.getByTestId("review-filter").click()),
  asAdmin("review-bulk", "/review?all=true", async (page) => {
    const boxes = page.getByTestId("review-queue").getByRole("listitem").getByRole("checkbox");
    await boxes.first().waitFor();
    for (const box of (await boxes.all()).slice(0, 4)) await box.check();
    await click("bulk-accept")(page);
  }),
  asAdmin("review-reject", "/submissions?search=trellis-config&state=WAITING", async (page) => {
    await openReview("overview")(page);
    await click("review-reject")(page);
  }),
  asAdmin("review-report", "/submissions?search=seedbankr&state=WAITING", async (page) => {
    await openReview("overview")(page);
    await page.emulateMedia({ media: "print" });
  }),
  asAdmin("upload", "/upload-packages"),
  asAdmin("upload-files", "/upload-packages?repository=stats-release", async (page) => {
    await page.getByTestId("wizard-continue").click();
    await page.locator("[data-testid=dropzone] input[type=file]").setInputFiles(uploadedFiles);
    await page.getByTestId("file-2").waitFor();
    await page.waitForTimeout(500);
  }),
  asAdmin("package-maintainers", "/package-maintainers"),
  asAdmin("package-maintainer-create", "/package-maintainers", click("add")),
  asAdmin("repository-maintainers", "/repository-maintainers"),
  asAdmin("users", "/users"),
  asAdmin("user-role", "/users", clickMatching(/^edit-/)),
  asAdmin("events", "/events"),
  asAdmin("events-table", "/events?view=table&zone=utc"),
  asAdmin("events-changes", "/events?eventType=update&resourceType=submission"),
  asAdmin("events-empty", "/events?fromDate=2031-01-01"),
  asAdmin("tokens", "/settings-tokens"),
  asAdmin("token-create", "/settings-tokens", click("add")),
  asAdmin("token-created", "/settings-tokens", async (page) => {
    await click("add")(page);
    await page.getByTestId("field-name").fill("nightly build");
    await click("dialog-confirm")(page);
    await page.getByTestId("token-value").waitFor();
  }),
  asAdmin("security", "/settings-security"),
  asAdmin("sessions", "/settings-sessions"),
  asAdmin("password", "/settings-password"),
  asAdmin("settings", "/settings-general"),
  asAdmin("settings-tables", "/settings-general?tab=tables"),
  asAdmin("not-found", "/no-such-page"),
  asAdmin("notifications", "/packages", click("topbar-notifications")),
  asAdmin("palette", "/packages", click("search")),
  asAdmin("palette-found", "/packages", async (page) => {
    await click("search")(page);
    await page.getByTestId("palette-search").fill("grade");
    await page.waitForLoadState("networkidle");
  }),
  asAdmin("keys", "/packages", async (page) => page.keyboard.press("?")),
  asAdmin("filter-menu", "/packages", async (page) => {
    if (await page.getByTestId("filters-toggle").isVisible()) await page.getByTestId("filters-toggle").click();
    await click("filter-technologies")(page);
  }),
];
