import { expect, test } from "@playwright/test";
import { signInAs } from "./sign-in-as.ts";

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
