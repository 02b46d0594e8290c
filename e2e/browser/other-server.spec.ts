import { isLong, longTag } from "@packhouse/fixtures/long-form";
import { expect, type Page } from "@playwright/test";
import { smallRPackage } from "../../server/testing/small-packages.ts";
import { appointAndDismiss } from "./appoint-and-dismiss.ts";
import { type ConsoleElsewhere, serveConsoleElsewhere } from "./console-on-other-server.ts";
import { untilQuiet } from "./quiet.ts";
import { signInAs, signInByForm } from "./sign-in-as.ts";
import { test as base } from "./test.ts";

/**
 * The console on a server that sends exactly what the API's description promises: no field, link, route, filter or
 * order of ours. Pages are opened at the address of nginx, which serves the console's files and nothing else.
 */
const test = base.extend<{ complaints: string[] }, { elsewhere: ConsoleElsewhere }>({
  elsewhere: [
    async ({ product }, use) => {
      await using elsewhere = await serveConsoleElsewhere(product.address);
      await use(elsewhere);
    },
    { scope: "worker" },
  ],
  baseURL: ({ elsewhere }, use) => use(elsewhere.address),
  /** What goes wrong in the page without a test looking for it. */
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        // The browser's own line for each response that is not 2xx.
        const isStatus = message.text().startsWith("Failed to load resource");
        if (message.type() === "error" && !isStatus) complaints.push(message.text());
      });
      await use(complaints);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

const screensOf = {
  user: ["/packages", "/repositories", "/submissions", "/upload-packages", "/events", "/events?view=table"],
  "package-maintainer": ["/packages", "/repositories", "/submissions", "/upload-packages", "/events"],
  "repository-maintainer": ["/packages", "/repositories", "/submissions", "/package-maintainers", "/events"],
  admin: [
    "/packages",
    "/packages?deleted=true",
    "/repositories?published=any",
    "/submissions?assignedToMe=true",
    "/package-maintainers",
    "/repository-maintainers",
    "/users",
    "/events",
    "/events?view=table",
  ],
} as const;
const settings = ["/settings-general", "/settings-tokens"] as const;

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.locator("main h1")).toBeVisible();
  await untilQuiet(page);
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByTestId("toast-error")).toHaveCount(0);
}

/** The details of a row, and the page that it leads to. */
async function openFirst(page: Page, list: string): Promise<void> {
  await open(page, list);
  await page.getByRole("rowheader").first().getByRole("link").click();
  await expect(page.getByTestId(/^screen-(package|repository)Details$/).locator("h1")).toBeVisible();
  // The last part of such a page: only then has it asked for everything.
  await expect(page.getByTestId("zone")).toBeVisible();
  await untilQuiet(page);
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByTestId("toast-error")).toHaveCount(0);
}

test.describe("on another server with the same API", () => {
  for (const [login, screens] of Object.entries(screensOf)) {
    if (!isLong && login !== "admin") continue; // the others see fewer screens
    test(`every screen opens for the role of ${login}`, async ({ page, elsewhere }) => {
      test.setTimeout(120_000);
      const before = elsewhere.other.unknownCalls.length;
      await signInAs(page, login);
      for (const address of [...screens, ...settings]) await open(page, address);
      await openFirst(page, "/packages?search=cropcurve&submissionState=ACCEPTED");
      await openFirst(page, "/packages?technology=Python&submissionState=ACCEPTED");
      await openFirst(page, "/packages?search=cropcurve&submissionState=ACCEPTED");
      await openFirst(page, "/repositories?technology=R");
      await openFirst(page, "/repositories?technology=Python");
      // Each route of ours is asked for once and not again.
      const asked = elsewhere.other.unknownCalls.slice(before).map((call) => call.replace(/\d+/, ":id"));
      expect(asked).toEqual([...new Set(asked)]);
    });
  }

  test("a package shows what is known of it", { tag: longTag }, async ({ page }) => {
    await signInAs(page, "user");
    await openFirst(page, "/packages?search=cropcurve&submissionState=ACCEPTED");
    await expect(page.getByTestId("prop-imports")).toContainText("tidetable (>= 0.9.0)");
    await expect(page.getByTestId("card-dependents")).toHaveCount(0);
    await expect(page.getByTestId("card-downloads")).toHaveCount(0);
    await expect(page.getByTestId("card-files")).toContainText("cropcurve_1.10.4.tar.gz");
    await expect(page.getByTestId("card-files")).not.toContainText("NaN");
    await expect(page.getByTestId("read-manual")).toHaveCount(0);
    const started = page.waitForEvent("download");
    await page.getByTestId("file-source").click();
    expect((await started).suggestedFilename()).toBe("cropcurve_1.10.4.tar.gz");
  });

  test("a Python package is deactivated and activated on its page by those who may", { tag: longTag }, async ({
    page,
  }) => {
    await signInAs(page, "admin");
    await openFirst(page, "/packages?technology=Python&submissionState=ACCEPTED&search=gradeline");
    await page.getByRole("button", { name: "Deactivate" }).click();
    await expect(page.getByRole("button", { name: "Activate", exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Activate", exact: true }).click();
    await expect(page.getByRole("button", { name: "Deactivate" })).toBeVisible();
  });

  test("a user uploads, cancels one submission, and an approver decides on the others", async ({ page }) => {
    test.setTimeout(120_000);
    const names = ["otherwise", "elsewhere", "overthere"];
    const files = await Promise.all(names.map((name) => smallRPackage(name, "1.0")));
    await signInByForm(page, "user");
    await page.goto("/upload-packages");
    await page.getByTestId("field-repository").click();
    await page.getByTestId("option-stats-release").click();
    await page.getByTestId("wizard-continue").click();
    await page.locator("input[type=file]").setInputFiles([
      ...files.map(({ fileName, bytes }) => ({
        name: fileName,
        mimeType: "application/gzip",
        buffer: Buffer.from(bytes),
      })),
      { name: "wheel-1.0-py3-none-any.whl", mimeType: "application/zip", buffer: Buffer.from("no") },
    ]);
    await expect(page.getByTestId("dropzone")).toContainText(".tar.gz");
    await expect(page.getByTestId("upload-totals")).toContainText("3 ready");
    await page.getByRole("button", { name: "Remove wheel-1.0-py3-none-any.whl" }).click();
    await page.getByTestId("wizard-submit").click();
    await expect(page.locator("[data-testid^=result-][data-state=success]")).toHaveCount(3, { timeout: 30_000 });

    await page.goto("/submissions?search=otherwise");
    await page.getByRole("button", { name: /^Cancel otherwise/ }).click();
    await expect(page.getByRole("row").filter({ hasText: "otherwise" })).toContainText("canceled");
    await page.getByTestId("nav-logout").first().click();

    await signInByForm(page, "repository-maintainer");
    await page.goto("/submissions?assignedToMe=true");
    await expect(page.getByRole("row").filter({ hasText: "accepted" })).toHaveCount(0);
    await page.getByRole("button", { name: /^Accept elsewhere/ }).click();
    // Leaving the page sends the delayed action, which may come after the next page's list.
    await expect(async () => {
      await page.goto("/submissions?search=elsewhere");
      await expect(page.getByRole("row").filter({ hasText: "elsewhere" })).toContainText("accepted", {
        timeout: 5_000,
      });
    }).toPass({ timeout: 60_000 });
    await page.goto("/submissions?search=overthere");
    await page.getByRole("button", { name: /^Reject overthere/ }).click();
    await expect(page.getByRole("row").filter({ hasText: "overthere" })).toContainText("rejected");
    await page.goto("/submissions?search=elsewhere");
    const started = page.waitForEvent("download");
    await page.getByRole("button", { name: /^Download elsewhere/ }).click();
    expect((await started).suggestedFilename()).toBe("elsewhere_1.0.tar.gz");
  });

  test("a file that is in the repository already is noticed before it is sent", { tag: longTag }, async ({ page }) => {
    await signInAs(page, "user");
    const { fileName, bytes } = await smallRPackage("twice", "1.0");
    const file = { name: fileName, mimeType: "application/gzip", buffer: Buffer.from(bytes) };
    const choose = async () => {
      await page.goto("/upload-packages?repository=stats-release");
      await page.getByTestId("wizard-continue").click();
      await page.locator("input[type=file]").setInputFiles([file]);
    };
    await choose();
    await page.getByTestId("wizard-submit").click();
    await expect(page.getByTestId("result-0")).toHaveAttribute("data-state", "success");
    await choose();
    await expect(page.getByTestId("file-0")).toContainText("already in the repository");
  });

  test("an administrator creates, publishes, edits and deletes a repository", { tag: longTag }, async ({ page }) => {
    await signInAs(page, "admin");
    await page.goto("/repositories");
    await page.getByTestId("add").click();
    const dialog = page.getByRole("dialog", { name: "Add a repository" });
    await dialog.getByTestId("field-technology").click();
    await page.getByRole("option", { name: "Python" }).click();
    await dialog.getByTestId("field-name").fill("far-away");
    await dialog.getByTestId("dialog-confirm").click();
    await expect(dialog).toBeHidden();
    await page.goto("/repositories?published=any&search=far-away");
    const row = page.getByRole("row").filter({ hasText: "far-away" });
    await row.getByRole("checkbox").click();
    await expect(row.getByRole("checkbox")).toBeChecked();
    await row.getByRole("button", { name: "Edit far-away" }).click();
    await page.getByTestId("field-name").fill("further-away");
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByRole("dialog")).toHaveCount(0);

    await page.goto("/repositories?published=any&search=further-away");
    await page.getByRole("link", { name: "further-away" }).click();
    // Until the page is there, the row in the list has a button of that name, too.
    await page.getByTestId("screen-repositoryDetails").getByRole("button", { name: "Republish" }).click();
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByText("Republished further-away")).toBeVisible();

    await page.goto("/repositories?published=any&search=further-away");
    await page.getByRole("button", { name: "Delete further-away" }).click();
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByRole("row").filter({ hasText: "further-away" })).toHaveCount(0);
    // Such a server does not restore.
    await page.goto("/repositories?deleted=true&published=any&search=further-away");
    const deleted = page.getByRole("row").filter({ hasText: "further-away" });
    await expect(deleted.getByRole("button", { name: /^Restore/ })).toHaveAttribute("aria-disabled", "true");
  });

  test("people become maintainers and get roles", { tag: longTag }, async ({ page }) => {
    await signInAs(page, "admin");
    await page.goto("/users?search=lea");
    const person = page.getByRole("row").filter({ hasText: "Lea Brandt" });
    await person.getByRole("button", { name: /^Edit the role/ }).click();
    await page.getByTestId("field-roleId").click();
    await page.getByRole("option", { name: "Package maintainer" }).click();
    await page.getByTestId("dialog-confirm").click();
    await expect(person).toContainText("Package maintainer");

    await page.goto("/repository-maintainers");
    await page.getByTestId("add").click();
    await appointAndDismiss(page);

    await page.goto("/package-maintainers");
    await page.getByTestId("add").click();
    await page.getByTestId("field-user").click();
    await page.getByRole("listbox").getByRole("option").first().click();
    await page.getByTestId("field-repository").fill("geo");
    await page.getByRole("option", { name: /geo-internal/ }).click();
    await page.getByTestId("field-packageName").click();
    await page.getByRole("listbox").locator('[role="option"]:not([data-combobox-disabled])').first().click();
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByText(/ now maintains .+ in geo-internal$/)).toBeVisible();
  });

  test("a repository maintainer, who cannot list people, names one by the id", { tag: longTag }, async ({ page }) => {
    await signInAs(page, "repository-maintainer");
    await page.goto("/package-maintainers");
    await page.getByTestId("add").click();
    await expect(page.getByText("This server does not list users for maintainers")).toBeVisible();
    await page.getByTestId("field-user").fill("4");
    await expect(page.getByTestId("field-repository")).toBeEnabled();
  });

  test("access tokens are created, renamed, deactivated and deleted", { tag: longTag }, async ({ page }) => {
    await signInAs(page, "user");
    await page.goto("/settings-tokens");
    await page.getByTestId("add").click();
    await page.getByTestId("field-name").fill("far build");
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByTestId("token-value")).not.toBeEmpty();
    await page.getByRole("button", { name: "OK", exact: true }).click();
    const row = page.getByRole("row").filter({ hasText: "far build" });
    await row.getByRole("button", { name: "Edit far build" }).click();
    await page.getByTestId("field-name").fill("farther build");
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByText("Token edited.")).toBeVisible();
    await page.getByRole("button", { name: "Deactivate farther build" }).click();
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByText("Token deactivated.")).toBeVisible();
    await page.getByTestId("filter-active").getByText("any").click();
    await page.getByRole("button", { name: "Delete farther build" }).click();
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByText("Token deleted.")).toBeVisible();
  });

  test("settings, the search, the feed and the export of events work", { tag: longTag }, async ({ page }) => {
    await signInAs(page, "package-maintainer");
    await page.goto("/settings-general?tab=tables");
    await page.getByTestId("field-pageSize").fill("20");
    await page.getByTestId("save").click();
    await expect(page.getByText("Saved your settings")).toBeVisible();
    await page.keyboard.press("Control+k");
    await page.getByTestId("palette-search").fill("cropcurve");
    await expect(page.getByTestId("palette")).toContainText("cropcurve");
    await page.keyboard.press("Escape");
    await page.getByTestId("topbar-notifications").first().click();
    await expect(page.getByRole("dialog").first()).toBeVisible();
    await page.keyboard.press("Escape");
    await page.goto("/events");
    const started = page.waitForEvent("download");
    await page.getByTestId("export").click();
    await page.getByRole("menuitem", { name: "CSV" }).click();
    expect((await started).suggestedFilename()).toMatch(/\.csv$/);
  });

  test("an order that the server cannot sort by ends in the default order, with a notice", { tag: longTag }, async ({
    page,
  }) => {
    await signInAs(page, "user");
    await page.goto("/repositories?sort=numberOfPackages,asc");
    await expect(page.getByTestId("toast-warning")).toContainText("This server cannot sort by");
    await expect(page).toHaveURL(/\/repositories$/);
    await expect(page.getByRole("rowheader").first()).toBeVisible();
  });

  test("binaries are found although the server does not know the filter", { tag: longTag }, async ({ page }) => {
    await signInAs(page, "user");
    for (const list of ["/submissions?size=100", "/packages?size=100"]) {
      const types = page.locator('td[data-label="Type"]');
      await page.goto(`${list}&binary=true`);
      await expect(types.first()).toHaveText("binary");
      await expect(types.filter({ hasText: "source" })).toHaveCount(0);
      await expect(page.getByTestId("bulk-menu")).toContainText("about");
    }
  });

  test("a wrong password is refused in words", { tag: longTag }, async ({ page }) => {
    await page.goto("/login");
    await page.getByTestId("field-login").fill("user");
    await page.getByTestId("field-password").fill("wrong");
    await page.getByTestId("login-submit").click();
    await expect(page.getByText("Wrong credentials, please try again")).toBeVisible();
  });
});
