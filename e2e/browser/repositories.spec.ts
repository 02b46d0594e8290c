import { longTag } from "@packhouse/fixtures/long-form";
import { type APIRequestContext, expect, type Locator } from "@playwright/test";
import { api, change } from "./answers.ts";
import { untilQuiet } from "./quiet.ts";
import { choose, openPackagesAs, signInAs } from "./sign-in-as.ts";
import { test } from "./test.ts";
import { authorizationOf } from "./upload-by-call.ts";

/** Creates an empty R repository, named like the end of its address. */
async function createByCall(request: APIRequestContext, address: string): Promise<void> {
  const created = await request.post("/api/v2/manager/r/repositories", {
    headers: await authorizationOf(request, "admin"),
    data: { name: address.split("/").at(-1), publicationUri: address, serverAddress: address },
  });
  expect(created.status()).toBe(201);
}

test.describe("repositories", () => {
  test("are created, edited and unpublished by an administrator", async ({ page }) => {
    await openPackagesAs(page, "admin");
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

  test("have addresses that are copied from their row, the opened row and their page, with a confirmation", {
    tag: longTag,
  }, async ({ page }) => {
    await signInAs(page, "admin");
    await page.goto("/repositories?search=stats-release");
    const row = page.getByRole("row").filter({ hasText: "stats-release" });
    const address = (await row.getByText(/\/repo\/stats-release$/).innerText()).trim();
    const copies = async (button: Locator, text: string) => {
      await page.evaluate(() => navigator.clipboard.writeText("something else"));
      await button.click();
      await expect(page.getByRole("status").filter({ hasText: "Copied" }).first()).toBeVisible();
      await expect(button).toHaveAccessibleName(/ – Copied$/);
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
    };
    const buttons = page.getByRole("button", { name: `Copy ${address}` });
    await copies(buttons.first(), address);
    await row.click();
    const detail = page.getByTestId("detail-publicationUri");
    await copies(detail.getByRole("button"), address);
    // Only what is on the clipboard is marked.
    await expect(buttons.first()).toHaveAccessibleName(`Copy ${address}`);
    await page.getByRole("rowheader").getByRole("link").first().click();
    await expect(page.getByTestId("screen-repositoryDetails")).toBeVisible();
    await copies(buttons.first(), address);
    await copies(page.getByTestId("detail-serverAddress").getByRole("button", { name: /^Copy / }), address);
  });

  test("are offered at addresses that the form does not warn about", { tag: longTag }, async ({ page }) => {
    await page.route("**/configuration.json", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), deprecatedAddressWarning: true } });
    });
    await signInAs(page, "admin");
    await page.goto("/repositories");
    await page.getByTestId("add").click();
    await page.getByTestId("field-name").fill("proposed");
    await expect(page.getByTestId("field-serverAddress")).toHaveValue(/\/repo\/proposed$/);
    for (const [technology, address] of [
      ["Python", /\/repo\/python\/proposed$/],
      ["R", /\/repo\/r\/proposed$/],
    ] as const) {
      await page.getByTestId("field-technology").click();
      await page.getByRole("option", { name: technology, exact: true }).click();
      await expect(page.getByTestId("field-serverAddress")).toHaveValue(address);
      await expect(page.getByTestId("deprecated-hint")).toHaveCount(0);
    }
    await page.getByTestId("field-serverAddress").fill("https://store.example.org/proposed");
    await expect(page.getByTestId("deprecated-hint")).toBeVisible();
    await page.getByTestId("field-name").fill("another");
    await expect(page.getByTestId("field-serverAddress")).toHaveValue("https://store.example.org/proposed");
  });

  test("can be installed from as they were: their page lists the states with a line to copy", { tag: longTag }, async ({
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
    await card.getByRole("button", { name: "Copy the command that installs from @1", exact: true }).click();
    const line = await page.evaluate(() => navigator.clipboard.readText());
    const address = /^pip install --index-url (\S+\/repo\/ml-nightly\/@1\/simple\/) $/.exec(line)?.[1] ?? "";
    expect((await page.request.get(address)).status()).toBe(200);
  });

  test("that have mirrors show them, how they went, and what starts them", { tag: longTag }, async ({ page }) => {
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
    await card.getByRole("button", { name: "Synchronize mirrors" }).click();
    await expect(page.getByText("The mirrors are being synchronized")).toBeVisible();
    await page.unrouteAll({ behavior: "wait" }); // the page has begun to read again
  });

  for (const [language, width, theme] of [
    ["en", 1440, "dark"],
    ["pl", 390, "light"],
  ] as const)
    test(`that have mirrors show what clashed and what was skipped, in ${language} at ${width}`, {
      tag: longTag,
    }, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await change(page, api("/repositories/*/mirrors"), (data) => {
        data.reservedNames = ["acme*", "internal"];
        data.mirrors = [
          {
            name: "upstream",
            uri: "https://cran.example.org",
            schedule: "",
            packages: null,
            sharedNames: true,
            lastRun: {
              startedOn: "2026-01-02T02:30:00Z",
              endedOn: "2026-01-02T02:31:00Z",
              stored: 3,
              errors: ["absent: the mirror has no such package", "internal 1.0: this version was uploaded here"],
              clashes: [
                {
                  name: "internal",
                  version: "1.0",
                  reason: "uploaded",
                  with: "internal",
                  taken: false,
                  text: "internal 1.0: this version was uploaded here",
                },
                {
                  name: "Sound",
                  version: "2.0",
                  reason: "name.differs.only.in.case",
                  with: "sound",
                  taken: true,
                  text: "Sound 2.0: the name differs from sound only in case; it was mirrored anyway",
                },
              ],
              skipped: [{ name: "eggs", fileName: "", reason: "no.supported.file" }],
              counts: { errors: 1, clashes: 2, skipped: 2345 },
            },
          },
        ];
      });
      await signInAs(page, "admin");
      await choose(page, theme, language);
      await page.goto("/repositories?search=stats-release");
      await page.getByRole("rowheader").getByRole("link").first().click();
      const card = page.getByTestId("card-mirrors");
      const texts = {
        en: {
          clashes: "2 name clashes",
          uploaded: "internal 1.0 was uploaded here and is kept",
          taken: "Sound 2.0: the name differs from sound only in case (mirrored anyway)",
          error: "1 error",
          skipped: "2,345 projects or files skipped",
          shown: "1 of 2,345 shown",
          eggs: "eggs: the project has no file that can be mirrored",
        },
        pl: {
          clashes: "2 konflikty nazw",
          uploaded: "internal 1.0: pakiet przesłano tutaj, więc pozostaje",
          taken: "Sound 2.0: nazwa różni się od sound tylko wielkością liter (pobrano mimo to)",
          error: "1 błąd",
          skipped: "pominięto 2345 projektów lub plików",
          shown: "Pokazano 1 z 2345",
          eggs: "eggs: projekt nie ma plików, które można pobrać",
        },
      }[language];
      await card.getByText(texts.clashes).click();
      await expect(card.getByText(texts.uploaded)).toBeVisible();
      await expect(card.getByText(texts.taken)).toBeVisible();
      await expect(card.getByText(texts.error)).toBeVisible();
      await card.getByText(texts.skipped).click();
      await expect(card.getByText(texts.eggs)).toBeVisible();
      await expect(card.getByText(texts.shown)).toBeVisible();
      await expect(card.getByTestId("reserved-names")).toContainText("acme*, internal");
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBeLessThanOrEqual(0);
      await page.unrouteAll({ behavior: "wait" });
      await choose(page, "dark", "en"); // which the other specs read
    });

  test("keep names from their mirrors that administrators reserve", { tag: longTag }, async ({ page }) => {
    await signInAs(page, "admin");
    const open = async () => {
      await page.goto("/repositories?search=stats-release");
      await page.getByRole("button", { name: "Edit stats-release" }).click();
      return page.getByTestId("field-reservedNames");
    };
    const field = await open();
    await field.fill("acme*, not a name!");
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByRole("dialog")).toContainText("Reserved names consist of");
    await field.fill("acme*  internal");
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByRole("dialog")).toBeHidden();
    await expect(await open()).toHaveValue("acme*, internal");
    await (await open()).fill("");
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByRole("dialog")).toBeHidden();
  });

  test("that are deleted are named when it is done", { tag: longTag }, async ({ page, request, baseURL }) => {
    await createByCall(request, `${baseURL}/repo/short-lived`);
    await signInAs(page, "admin");
    await page.goto("/repositories?search=short-lived&published=any");
    await page.getByRole("button", { name: "Delete short-lived" }).click();
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByTestId("toast-success")).toContainText("Deleted short-lived");
  });

  test("are edited while another one is being deleted", { tag: longTag }, async ({ page, request, baseURL }) => {
    await createByCall(request, `${baseURL}/repo/sandbox-for-a-day`);
    await signInAs(page, "admin");
    await page.goto("/repositories?search=sandbox&published=any");
    await page.getByRole("button", { name: "Delete sandbox-for-a-day" }).click();
    await page.getByTestId("dialog-confirm").click();
    await page.getByRole("button", { name: "Edit sandbox", exact: true }).click();
    await page.getByTestId("field-name").fill("sandbox-with-a-new-name");
    await expect(page.getByTestId("toast-success")).toContainText("Deleted sandbox-for-a-day");
    await untilQuiet(page);
    await expect(page.getByTestId("field-name")).toHaveValue("sandbox-with-a-new-name");
    await page.getByTestId("dialog-cancel").click();
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
