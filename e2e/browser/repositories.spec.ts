import { expect } from "@playwright/test";
import { api, change } from "./answers.ts";
import { signInAs } from "./sign-in-as.ts";
import { test } from "./test.ts";

test.describe("repositories", () => {
  test("are created, edited and unpublished by an administrator", async ({ page }) => {
    await signInAs(page, "admin");
    await page.getByTestId("nav-repositories").first().click();
    await page.getByRole("button", { name: "Add a repository" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a repository" });
    await dialog.getByTestId("field-technology").click();
    await page.getByRole("option", { name: "Python" }).click();
    await dialog.getByTestId("field-name").fill("harvest-tools");
    await expect(dialog.getByTestId("field-publicationUri")).toHaveValue(/\/repo\/harvest-tools$/);
    await dialog.getByTestId("dialog-confirm").click();
    await expect(dialog).toBeHidden();

    await page.goto("/repositories?published=any&search=harvest");
    const row = page.getByRole("row").filter({ hasText: "harvest-tools" });
    await expect(row.getByRole("checkbox")).not.toBeChecked();
    await row.getByRole("checkbox").click();
    await expect(row.getByRole("checkbox")).toBeChecked();

    await row.getByRole("button", { name: "Edit harvest-tools" }).click();
    const edit = page.getByRole("dialog", { name: "Edit harvest-tools" });
    await expect(edit.getByTestId("dialog-confirm")).toBeDisabled();
    await edit.getByTestId("field-name").fill("stats-release");
    await edit.getByTestId("field-name").blur();
    await expect(edit.getByText("Repository name already exists")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(edit).toBeHidden();
    await expect(row).toBeVisible();
  });

  test("can be installed from as they were: their page lists the states with a line to copy", async ({
    page,
    context,
  }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await signInAs(page, "user");
    await page.goto("/repositories?search=ml-nightly");
    await page.getByRole("link", { name: "ml-nightly" }).click();
    const card = page.getByTestId("card-snapshots");
    await expect(card.getByRole("listitem")).toHaveCount(5);
    await card.getByTestId("snapshots-all").click();
    await expect(card.getByTestId("snapshot-1")).toBeVisible();
    await card.getByRole("button", { name: "Copy what installs from @1", exact: true }).click();
    const line = await page.evaluate(() => navigator.clipboard.readText());
    const address = /^pip install --index-url (\S+\/repo\/ml-nightly\/@1\/simple\/) $/.exec(line)?.[1] ?? "";
    expect((await page.request.get(address)).status()).toBe(200);
  });

  test("that have mirrors show them, how they went, and what starts them", async ({ page }) => {
    await change(page, api("/repositories/*/mirrors"), (data) => {
      data.mirrors = [
        {
          name: "upstream",
          uri: "https://cran.example.org",
          schedule: "30 2 * * *",
          packages: [{ name: "tide*", version: null }],
          lastRun: {
            startedOn: "2026-01-02T02:30:00Z",
            endedOn: "2026-01-02T02:31:00Z",
            stored: 3,
            errors: ["absent: the mirror has no such package"],
          },
        },
      ];
    });
    await signInAs(page, "admin");
    await page.goto("/repositories?search=stats-release");
    await page.getByRole("rowheader").getByRole("link").first().click();
    const card = page.getByTestId("card-mirrors");
    await expect(card.getByTestId("mirror-upstream")).toContainText("https://cran.example.org");
    await expect(card).toContainText("1 name or pattern · 30 2 * * *");
    await expect(card).toContainText("3 packages stored");
    await expect(card.getByText("absent: the mirror has no such package")).toBeHidden();
    await card.getByText("1 error").click();
    await expect(card.getByText("absent: the mirror has no such package")).toBeVisible();
    await card.getByRole("button", { name: "Synchronise mirrors" }).click();
    await expect(page.getByText("The mirrors are being synchronised")).toBeVisible();
    await page.unrouteAll({ behavior: "wait" }); // the page has begun to read again
  });

  test("that hold packages are deleted only by typing their name", async ({ page }) => {
    await signInAs(page, "admin");
    await page.goto("/repositories?search=clinical");
    await page.getByRole("button", { name: "Delete clinical-validated" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete clinical-validated?" });
    await expect(dialog.getByTestId("dialog-confirm")).toBeDisabled();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("row").filter({ hasText: "clinical-validated" })).toBeVisible();
  });
});
