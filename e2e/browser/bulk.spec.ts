import { afterFirst, longTag } from "@packhouse/fixtures/long-form";
import { expect } from "@playwright/test";
import { api, change, refuseOne } from "./answers.ts";
import { untilQuiet } from "./quiet.ts";
import { signInAs } from "./sign-in-as.ts";
import { test } from "./test.ts";
import { uploadWaiting } from "./upload-by-call.ts";

test.describe("bulk work", () => {
  test.beforeEach(({ page }) => signInAs(page, "admin"));

  test("switches packages off and, by Undo, on again", { tag: longTag }, async ({ page }) => {
    await page.goto("/packages?repository=geo-internal&submissionState=ACCEPTED&size=100");
    await expect(page.getByTestId("table-packages")).toHaveAttribute("aria-busy", "false");
    await page.getByTestId("select-all").click();
    const boxes = page.getByTestId(/^activate-/);
    const active = await page.locator("[data-testid^=activate-]:checked").count();
    expect(active).toBeGreaterThan(2);
    await page.getByTestId("bulk-deactivate").click();
    await page.getByTestId("dialog-confirm").click();
    await expect(page.locator("[data-testid^=activate-]:checked")).toHaveCount(0);
    await expect(page.getByTestId("bulk-deactivate")).toHaveCount(0);
    await page.getByTestId("undo").click();
    await expect(page.locator("[data-testid^=activate-]:checked")).toHaveCount(active);
    expect(await boxes.count()).toBeGreaterThanOrEqual(active);
  });

  test("says what is left out and why, and marks it afterward", { tag: longTag }, async ({ page }) => {
    await page.goto("/submissions?search=seedlotTrials");
    await page.getByTestId("select-all").click();
    await page.getByTestId("bulk-accept").click();
    const dialog = page.getByRole("dialog", { name: "ACCEPT these submissions?" });
    await expect(dialog).toContainText("No valid submissions selected");
    await expect(dialog).toContainText("Cannot be accepted as it has been canceled already");
    await expect(dialog.getByTestId("dialog-confirm")).toBeDisabled();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();

    await page.goto("/submissions?search=cropcurve&size=100");
    const saving = page.waitForEvent("download");
    await page.getByTestId("select-all").click();
    await page.getByTestId("bulk-download").click();
    await page.getByTestId("dialog-confirm").click();
    await saving;
    await expect(page.getByText("Downloaded all selected and available submissions")).toBeVisible();
  });

  test("says why an action is off for all that is selected, without asking", { tag: longTag }, async ({ page }) => {
    await change(page, api("/config"), (data) => {
      data.deletingPackagesEnabled = false;
    });
    await page.reload();
    await page.goto("/packages?search=cropcurve&submissionState=ACCEPTED");
    await page.getByTestId("select-all").click();
    const remove = page.getByTestId("bulk-delete");
    await expect(remove).toHaveAttribute("aria-disabled", "true");
    await expect(remove).toHaveAccessibleDescription("Deleting packages has been switched off on this server");
    await remove.click({ force: true });
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  test("keeps what failed on the screen, to be tried again", { tag: longTag }, async ({ page }) => {
    await page.goto("/packages?search=conveyor&size=100");
    await page.getByTestId("select-all").click();
    let refusals = 1;
    await page.route(api("/python/packages/*"), (route) => {
      if (route.request().method() === "PATCH" && refusals-- > 0)
        return refuseOne(route, { status: 422, messageCode: "error.validation", data: ["package.not.accepted"] });
      return route.fallback();
    });
    await page.getByTestId("bulk-deactivate").click();
    await page.getByTestId("dialog-confirm").click();
    const results = page.getByTestId("bulk-results");
    await expect(results.locator("[data-state=error]")).toHaveCount(1);
    await expect(results.locator("[data-state=error]")).toContainText(
      "Only accepted packages can be activated or restored",
    );
    await page.getByRole("button", { name: "Copy results" }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("conveyor-tasks");
    await page.getByTestId("bulk-retry").click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.locator("[data-testid^=activate-]:checked")).toHaveCount(0);
  });

  test("accepts and rejects what waits, and marks what it left alone", async ({ page, request }) => {
    await uploadWaiting(request, "stats-release", ["sortedone", "sortedtwo", "sortedthree"]);
    await page.goto("/submissions?search=sorted&sort=packageBag.name,asc");
    const row = (name: string) => page.getByRole("row").filter({ hasText: name });
    for (const name of ["sortedone", "sortedthree"]) await row(name).getByRole("checkbox").check();
    await page.getByTestId("bulk-accept").click();
    const dialog = page.getByRole("dialog", { name: "ACCEPT these submissions?" });
    await expect(dialog.getByRole("button", { name: "Accept 2 submissions" })).toBeVisible();
    await dialog.getByTestId("dialog-confirm").click();
    await expect(page.getByText("Edited all selected and available submissions")).toBeVisible();
    await expect(row("sortedone")).toContainText("accepted");

    await page.getByTestId("select-all").click();
    await page.getByTestId("bulk-reject").click();
    await expect(page.getByRole("dialog")).toContainText(
      "Some selected submissions are left out because they cannot be rejected",
    );
    await page.getByTestId("dialog-confirm").click();
    await expect(row("sortedtwo")).toContainText("rejected");
    const mark = row("sortedone").getByTestId(/^skipped-/);
    await expect(mark).toHaveAccessibleName("Left unchanged (Cannot be rejected as it has been accepted already)");
  });

  test("cancels what is one's own", { tag: longTag }, async ({ page, request }) => {
    await uploadWaiting(request, "stats-release", ["mindchanged", "mindchangedtwice"]);
    await signInAs(page, "user");
    await page.goto("/submissions?search=mindchanged");
    await page.getByTestId("select-all").click();
    await page.getByTestId("bulk-cancel").click();
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByRole("row").filter({ hasText: "canceled" })).toHaveCount(2);
    // Who submitted them neither accepts nor rejects them.
    await expect(page.getByRole("button", { name: /^(Accept|Reject) mind/ })).toHaveCount(0);
  });

  test("dismisses maintainers, who come back by Undo", { tag: longTag }, async ({ page }) => {
    await page.goto("/repository-maintainers?search=amara");
    await expect(page.getByRole("rowheader").first()).toBeVisible();
    await expect(page.getByRole("table")).toHaveAttribute("aria-busy", "false");
    const count = await page.getByRole("rowheader").count();
    await page.getByTestId("select-all").click();
    await page.getByTestId("bulk-delete").click();
    await page.getByTestId("dialog-confirm").click();
    await expect(page.locator("tr[data-deleted=true]")).toHaveCount(count);
    await page.getByTestId("undo").click();
    await expect(page.locator("tr[data-deleted=true]")).toHaveCount(0);
  });

  test("takes everything that a filter finds, beyond the page", { tag: longTag }, async ({ page }) => {
    await page.goto("/packages?size=10");
    await page.getByTestId("select-all").click();
    await page.getByTestId("select-everything").click();
    await expect(page.getByTestId("bulk-menu")).toContainText(/^[3-9]\d selected/);
    await page.getByTestId("page-next").click();
    await expect(page.locator("[data-testid^=select-]:checked").first()).toBeVisible();
  });

  test("deletes packages, with its own summary", { tag: longTag }, async ({ page }) => {
    await page.goto("/packages?search=Orchard.Ledger&submissionState=ACCEPTED");
    await expect(page.getByRole("rowheader").first()).toBeVisible();
    await expect(page.getByTestId("table-packages")).toHaveAttribute("aria-busy", "false");
    const count = await page.getByRole("rowheader").count();
    await page.getByTestId("select-all").click();
    await page.getByTestId("bulk-delete").click();
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByText(`Deleted all selected packages (${count})`)).toBeVisible();
    await expect(page.getByTestId("empty")).toBeVisible();
    // Who deleted it is known, and it comes back.
    await page.goto("/packages?search=Orchard.Ledger&deleted=true");
    const row = page.getByRole("row").filter({ hasText: "Orchard.Ledger" }).first();
    await row.press("Enter");
    await expect(page.getByText(/^Deleted by Maren Castell on /)).toBeVisible();
    await row.getByRole("button", { name: /^Restore/ }).click();
    await expect(page.getByText(/^Restored Orchard\.Ledger .+ in /)).toBeVisible();
  });

  test("ends access tokens and switches people", { tag: longTag }, async ({ page }) => {
    await page.goto("/settings-tokens");
    for (const name of ["first of two", "second of two"]) {
      await page.getByTestId("add").click();
      await page.getByTestId("field-name").fill(name);
      await page.getByTestId("dialog-confirm").click();
      await page.getByRole("button", { name: "OK", exact: true }).click();
    }
    await page.goto("/settings-tokens?search=of+two");
    await page.getByTestId("select-all").click();
    await page.getByTestId("bulk-delete").click();
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByTestId("empty")).toBeVisible();

    await page.goto("/users?search=ci-uploader&active=any");
    await page.getByTestId("select-all").click();
    await page.getByTestId("bulk-deactivate").click();
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByTestId(/^activate-/)).not.toBeChecked();
    await page.getByTestId("undo").click();
    await expect(page.getByTestId(/^activate-/)).toBeChecked();
  });
});

test.describe("nothing destructive happens by accident", () => {
  test.beforeEach(({ page }) => signInAs(page, "admin"));

  for (const [variant, [address, button]] of (
    [
      ["/repositories", /^delete-/],
      ["/repositories", /^republish-/],
      ["/package-maintainers", /^delete-/],
      ["/repository-maintainers", /^delete-/],
      ["/users?search=noor", /^delete-/],
    ] as const
  ).entries()) {
    test(
      `Escape and the backdrop do nothing: ${String(button)} at ${address}`,
      afterFirst(variant),
      async ({ page }) => {
        const changes: string[] = [];
        page.on("request", (request) => {
          if (request.method() !== "GET") changes.push(`${request.method()} ${request.url()}`);
        });
        await page.goto(address);
        for (const close of ["Escape", "backdrop", "cancel"] as const) {
          await page.getByTestId(button).first().click();
          await expect(page.getByRole("dialog")).toBeVisible();
          if (close === "Escape") await page.keyboard.press("Escape");
          else if (close === "cancel") await page.getByTestId("dialog-cancel").click();
          else await page.mouse.click(5, 400);
          await expect(page.getByRole("dialog")).toHaveCount(0);
        }
        await page.keyboard.press("Escape");
        // What is delayed is sent when its screen is left.
        await page.goto("/packages");
        await untilQuiet(page);
        expect(changes).toEqual([]);
      },
    );
  }

  test("a deletion is held back and can be undone", async ({ page }) => {
    await page.goto("/package-maintainers");
    const row = page.getByRole("row").nth(1);
    await row.getByRole("button", { name: /^Delete/ }).click();
    await page.getByTestId("dialog-confirm").click();
    await expect(row).toContainText("deleting…");
    await row.getByTestId("undo").click();
    // fixed wait: longer than it would have been delayed
    await page.waitForTimeout(2600);
    await page.reload();
    await expect(page.getByRole("row").nth(1).getByText("deleted", { exact: true })).toHaveCount(0);
  });

  test("a switch offers Undo for what it did", { tag: longTag }, async ({ page }) => {
    await page.goto("/repositories?search=ops-tools&published=any");
    const box = page.getByTestId(/^publish-/);
    await expect(box).toBeChecked();
    await box.click();
    await expect(box).not.toBeChecked();
    await page.getByTestId("undo").click();
    await expect(box).toBeChecked();
  });
});
