import { longTag } from "@packhouse/fixtures/long-form";
import { expect, type Page } from "@playwright/test";
import { smallRPackage } from "../../server/testing/small-packages.ts";
import { api, change, cutOff, plugIn, refuse } from "./answers.ts";
import { openPackagesAs, signInAs } from "./sign-in-as.ts";
import { test } from "./test.ts";

const misconfigured = "The server does not seem to be set up correctly. Please tell your administrator.";
const toggleFirst = (page: Page) =>
  page
    .getByTestId(/^activate-/)
    .first()
    .click();
const crash = {
  status: 500,
  messageCode: "internal.error",
  data: { traceId: "6f1d2c3b4a596877", timestamp: "2026-11-21T10:00:00Z" },
};

test.describe("a call without an answer", () => {
  test("keeps the page while the server is asked again, and goes on when it is back", { tag: longTag }, async ({
    page,
  }) => {
    await openPackagesAs(page, "admin");
    await cutOff(page);
    await toggleFirst(page);
    await expect(page.getByTestId("toast-error")).toContainText(misconfigured);
    await expect(page.getByTestId("offline")).toBeVisible();
    await expect(page.getByTestId("table-packages")).toBeVisible();
    await plugIn(page);
    await expect(page.getByTestId("offline")).toBeHidden();
    await expect(page).toHaveURL(/\/packages/);
  });

  test("ends the session after ten seconds, and signing in leads back", async ({ page, context }) => {
    await signInAs(page, "admin");
    await page.goto("/submissions?state=WAITING");
    await expect(page.getByTestId("table-submissions")).toBeVisible();
    await cutOff(page);
    await context.setOffline(true); // files of the console cannot be had either
    // Other calls fail, too, so the ten seconds may have begun.
    await Promise.all([
      expect(page.getByTestId("offline")).toBeVisible(),
      page
        .getByTestId(/^download-/)
        .first()
        .click(),
    ]);
    await expect(page).toHaveURL(/\/login$/, { timeout: 20_000 });
    await plugIn(page);
    await context.setOffline(false);
    await page.getByTestId("field-login").fill("admin");
    await page.getByTestId("field-password").fill("packhouse-demo");
    await page.getByTestId("login-submit").click();
    await expect(page).toHaveURL(/\/submissions\?state=WAITING$/);
  });
});

test.describe("an error of the server", () => {
  test.beforeEach(({ page }) => openPackagesAs(page, "admin"));

  test("401 says so and signs out", async ({ page }) => {
    await refuse(page, api("/*/packages/*"), { status: 401, messageCode: "error.user.not.authenticated" }, "PATCH");
    await toggleFirst(page);
    await expect(
      page.getByText("Cannot perform this request because user is not authenticated.", { exact: true }),
    ).toBeVisible();
    await expect(page).toHaveURL(/\/login$/);
  });

  test("403 says so and asks again who the person is", { tag: longTag }, async ({ page }) => {
    await refuse(page, api("/*/packages/*"), { status: 403, messageCode: "user.not.authorized" }, "PATCH");
    const asked = page.waitForRequest(api("/users/me"));
    await toggleFirst(page);
    await expect(
      page.getByText("Cannot perform this request because user is not authorized", { exact: true }),
    ).toBeVisible();
    await asked;
    await expect(page.getByTestId("table-packages")).toBeVisible();
  });

  test("401 of whatever the screen shows in place says so, and signing in leads back", { tag: longTag }, async ({
    page,
  }) => {
    const notAuthenticated = { status: 401, messageCode: "error.user.not.authenticated" };
    const said = page.getByText("Cannot perform this request because user is not authenticated.", { exact: true });
    const backBySigningIn = async (address: RegExp) => {
      await expect(said).toBeVisible();
      await expect(page).toHaveURL(/\/login$/);
      await page.unrouteAll();
      await page.getByTestId("field-login").fill("admin");
      await page.getByTestId("field-password").fill("packhouse-demo");
      await page.getByTestId("login-submit").click();
      await expect(page).toHaveURL(address);
      await expect(said).toBeHidden();
    };
    // A list, when it is refreshed.
    await page.goto("/submissions?state=WAITING");
    await expect(page.getByRole("rowheader").first()).toBeVisible();
    await refuse(page, api("/submissions?*"), notAuthenticated);
    await page.getByTestId("refresh").click();
    await backBySigningIn(/\/submissions\?state=WAITING$/);
    // The timeline of events, when it is opened.
    await refuse(page, api("/events?*"), notAuthenticated);
    await page.getByTestId("nav-events").first().click();
    await backBySigningIn(/\/events$/);
    // Options of a filter.
    await page.getByTestId("nav-packages").first().click();
    await expect(page.getByTestId("table-packages")).toBeVisible();
    await refuse(page, api("/repositories?*"), notAuthenticated);
    await page.getByTestId("filter-repository").click();
    await backBySigningIn(/\/packages$/);
    // Each call of a bulk action.
    await page.getByTestId("select-all").check();
    await page.getByTestId("bulk-deactivate").click();
    await refuse(page, api("/*/packages/*"), notAuthenticated, "PATCH");
    await page.getByTestId("dialog-confirm").click();
    await backBySigningIn(/\/packages$/);
  });

  test("options of a filter that cannot be loaded say so, and can be requested again", async ({ page }) => {
    await page.goto("/packages");
    await expect(page.getByTestId("table-packages")).toBeVisible();
    await refuse(page, api("/repositories?*"), crash);
    await page.getByTestId("filter-repository").click();
    const options = page.getByRole("dialog", { name: "Repository" });
    await expect(options.getByRole("alert")).toContainText("This could not be loaded");
    await expect(options).not.toContainText("nothing to show");
    await page.unrouteAll();
    await options.getByRole("button", { name: "Try again" }).click();
    await expect(options.getByTestId("option-stats-release")).toBeVisible();
    await expect(options.getByRole("alert")).toHaveCount(0);
  });

  test("401 of an upload says so and leads to the sign-in", { tag: longTag }, async ({ page }) => {
    const { fileName, bytes } = await smallRPackage("strayseed", "1.0");
    await page.goto("/upload-packages?repository=stats-release");
    await page.getByTestId("wizard-continue").click();
    const file = { name: fileName, mimeType: "application/gzip", buffer: Buffer.from(bytes) };
    await page.locator("[data-testid=dropzone] input[type=file]").setInputFiles(file);
    await expect(page.getByTestId("file-0")).toContainText("strayseed");
    await refuse(page, api("/r/submissions?*"), { status: 401, messageCode: "error.user.not.authenticated" });
    await page.getByTestId("wizard-submit").click();
    await expect(page.getByTestId("toast-error")).toContainText("user is not authenticated.");
    await expect(page).toHaveURL(/\/login$/);
  });

  test("403 of a list says so, and asks again who the person is", { tag: longTag }, async ({ page }) => {
    await page.goto("/submissions");
    await expect(page.getByRole("rowheader").first()).toBeVisible();
    await refuse(page, api("/submissions?*"), { status: 403, messageCode: "user.not.authorized" });
    const asked = page.waitForRequest(api("/users/me"));
    await page.getByTestId("refresh").click();
    await expect(page.getByText("Cannot perform this request because user is not authorized")).toBeVisible();
    await asked;
    await expect(page).toHaveURL(/\/submissions$/);
  });

  test("404 of a package and of a repository shows the page for what is not there", { tag: longTag }, async ({
    page,
  }) => {
    for (const address of ["/packages/R/999999", "/repositories/Python/999999"]) {
      await page.goto(address);
      await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
      await expect(page).toHaveTitle(/^Packhouse - Page not found( \(\d+\))?$/);
    }
    for (const address of ["/packages/Fortran/1", "/packages/R/abc", "/no/such/page"]) {
      await page.goto(address);
      await expect(page.getByTestId("screen-pageNotFound")).toBeVisible();
      await expect(page).toHaveTitle(/^Packhouse - Page not found( \(\d+\))?$/);
    }
    // The title is that of the next page again.
    await page.goto("/packages");
    await expect(page).toHaveTitle(/^Packhouse - packages( \(\d+\))?$/);
  });

  test("404 of a manual is shown, and the page stays", { tag: longTag }, async ({ page }) => {
    await change(page, api("/r/packages/*"), (data) => {
      data.manualAvailable = true;
    });
    await page.goto("/packages?search=cropcurve&submissionState=ACCEPTED");
    await page.getByRole("rowheader").first().getByRole("link").click();
    await page.getByTestId("file-manual").click();
    await expect(page.getByTestId("toast-error")).toContainText("There is no manual for this package");
    await expect(page.getByTestId("screen-packageDetails")).toBeVisible();
  });

  test("405 about the record is its own message", { tag: longTag }, async ({ page }) => {
    const refusal = { status: 405, messageCode: "editing.deleted.resource.not.possible" };
    await refuse(page, api("/*/packages/*"), refusal, "PATCH");
    await toggleFirst(page);
    await expect(page.getByTestId("toast-error")).toContainText("This has been deleted and cannot be changed");
    await expect(page.getByTestId("table-packages")).toBeVisible();
  });

  test("405 of another kind of server signs out", { tag: longTag }, async ({ page }) => {
    await refuse(page, api("/*/packages/*"), { status: 405, messageCode: "method.not.allowed" }, "PATCH");
    await toggleFirst(page);
    await expect(page.getByTestId("toast-error")).toContainText(misconfigured);
    await expect(page).toHaveURL(/\/login$/);
  });

  test("422 says what was wrong, translated, and the old value returns", async ({ page }) => {
    const refusal = { status: 422, messageCode: "error.validation", data: ["package.not.accepted"] };
    await refuse(page, api("/*/packages/*"), refusal, "PATCH");
    const box = page.getByTestId(/^activate-/).first();
    await expect(box).toBeChecked();
    await box.click();
    const toast = page.getByTestId("toast-error");
    await expect(toast).toContainText("Validation failed");
    await expect(toast).toContainText("Only accepted packages can be activated or restored");
    await expect(box).toBeChecked();
    await expect(page.getByTestId("toast-success")).toHaveCount(0);
  });

  test("500 stays for eight seconds and can be copied", { tag: longTag }, async ({ page }) => {
    await refuse(page, api("/*/packages/*"), crash, "PATCH");
    await toggleFirst(page);
    const toast = page.getByTestId("toast-error");
    await expect(toast).toContainText("Internal server error");
    await expect(toast).toContainText("6f1d2c3b4a596877");
    await toast.getByText("Internal server error").click();
    await expect(toast).toBeVisible();
    await toast.getByRole("button", { name: "Copy" }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("6f1d2c3b4a596877");
    // As long as the pointer or the focus is on it, it waits.
    await page.getByRole("heading", { level: 1 }).click();
    // fixed wait: part of the eight seconds
    await page.waitForTimeout(3500);
    await expect(toast).toBeVisible();
    await expect(toast).toBeHidden();
  });

  test("in a list stands in its place, with a way to try again", async ({ page }) => {
    await refuse(page, api("/packages?*"), crash);
    await page.reload();
    await expect(page.getByRole("alert")).toContainText("trace ID 6f1d2c3b4a596877");
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("rowheader").first()).toBeVisible();
  });

  test("in a form stands at its field, and what was typed stays", { tag: longTag }, async ({ page }) => {
    const refusal = { status: 422, messageCode: "error.validation", data: ["repository.duplicate.publicationuri"] };
    await refuse(page, api("/r/repositories"), refusal, "POST");
    await page.goto("/repositories");
    await page.getByTestId("add").click();
    await page.getByTestId("field-technology").click();
    await page.getByRole("option", { name: "R", exact: true }).click();
    await page.getByTestId("field-name").fill("barn-tools");
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByText("Another repository has this publication URI")).toBeVisible();
    await expect(page.getByTestId("field-name")).toHaveValue("barn-tools");
  });
});

test("a changed role is announced, and ends the session", { tag: longTag }, async ({ page }) => {
  await openPackagesAs(page, "admin");
  await change(page, api("/users/me"), (data) => {
    data.role = "user";
    data.roleId = 1;
  });
  await refuse(page, api("/*/packages/*"), { status: 403, messageCode: "user.not.authorized" }, "PATCH");
  const said: string[] = [];
  page.once("dialog", (dialog) => {
    said.push(dialog.message());
    void dialog.accept();
  });
  await toggleFirst(page);
  await expect(page).toHaveURL(/\/login$/);
  expect(said).toEqual(["role has changed from admin to user"]);
});

test("a role that changes is announced after a reload, too", { tag: longTag }, async ({ page }) => {
  await openPackagesAs(page, "admin");
  await change(page, api("/users/me"), (data) => {
    data.role = "repositorymaintainer";
    data.roleId = 3;
  });
  const said: string[] = [];
  page.once("dialog", (dialog) => {
    said.push(dialog.message());
    void dialog.accept();
  });
  await page.reload();
  await expect(page).toHaveURL(/\/login$/);
  expect(said).toEqual(["role has changed from admin to repositorymaintainer"]);
  // The next user who signs in knows it.
  await openPackagesAs(page, "admin");
  expect(said).toHaveLength(1);
});
