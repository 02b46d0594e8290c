import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { signInAs } from "./sign-in-as.ts";

const screens = [
  { name: "packages", address: "/packages", ready: "table-packages" },
  { name: "repositories", address: "/repositories", ready: "table-repositories" },
  { name: "submissions", address: "/submissions", ready: "table-submissions" },
  { name: "upload", address: "/upload-packages", ready: "screen-addSubmission" },
  { name: "package maintainers", address: "/package-maintainers", ready: "table-packageMaintainers" },
  { name: "events", address: "/events", ready: "timeline" },
  { name: "access tokens", address: "/settings-tokens", ready: "screen-settingsTokens" },
  { name: "settings", address: "/settings-general", ready: "screen-settingsGeneral" },
  { name: "not found", address: "/no-such-page", ready: "screen-pageNotFound" },
] as const;

async function expectNoViolations(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`)).toEqual(
    [],
  );
}

/** Nothing but code may scroll sideways. */
async function expectToFit(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(
    () => [document.documentElement.scrollWidth, document.documentElement.clientWidth] as const,
  );
  expect(content).toBeLessThanOrEqual(window);
}

for (const theme of ["dark", "light"] as const) {
  for (const language of ["en", "pl"] as const) {
    test.describe(`in ${theme} and ${language}`, () => {
      test("every screen is accessible and fits, wide and narrow", async ({ page }) => {
        test.setTimeout(180_000);
        // Somebody whose language no other spec relies on.
        await signInAs(page, "repository-maintainer");
        const patch = await page.evaluate(
          async ([theme, language]) => {
            const headers = {
              authorization: `Bearer ${localStorage.getItem("packhouse.token")}`,
              "content-type": "application/json-patch+json",
            };
            const me = (await (await fetch("/api/v2/manager/users/me", { headers })).json()) as {
              data: { id: number };
            };
            const body = JSON.stringify([
              { op: "replace", path: "/theme", value: theme },
              { op: "replace", path: "/language", value: language === "pl" ? "pl-PL" : "en-US" },
            ]);
            return (await fetch(`/api/v2/manager/user-settings/${me.data.id}`, { method: "PATCH", headers, body }))
              .status;
          },
          [theme, language] as const,
        );
        expect(patch).toBe(200);
        await page.reload();
        await expect(page.locator("html")).toHaveAttribute("lang", language);
        await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", theme);

        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 900 });
          for (const { address, ready } of screens) {
            await page.goto(address);
            await expect(page.getByTestId(ready)).toBeVisible();
            await page.waitForLoadState("networkidle");
            await expectNoViolations(page);
            await expectToFit(page);
          }
          await page.goto("/packages?search=tidyloom");
          await page.getByRole("rowheader").first().getByRole("link").click();
          await expect(page.getByTestId("description")).toBeVisible();
          await page.waitForLoadState("networkidle");
          await expectNoViolations(page);
          await expectToFit(page);
        }
      });
    });
  }
}

test("the screens of administrators are accessible and fit, wide and narrow", async ({ page }) => {
  await signInAs(page, "admin");
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const name of ["users", "repositoryMaintainers"]) {
      await page.goto(name === "users" ? "/users" : "/repository-maintainers");
      await expect(page.getByTestId(`table-${name}`)).toBeVisible();
      await page.waitForLoadState("networkidle");
      await expectNoViolations(page);
      await expectToFit(page);
    }
  }
});

test("dialogs and menus are accessible", async ({ page }) => {
  await signInAs(page, "admin");
  await page.goto("/repositories");
  await page.getByRole("button", { name: /^(Add a repository|Dodaj repozytorium)$/ }).click();
  await expect(page.getByTestId("field-name")).toBeVisible();
  await page.waitForTimeout(400); // colours are measured when the dialog has faded in
  await expectNoViolations(page);
  await page.keyboard.press("Escape");
  await page.goto("/packages");
  await page.getByTestId("filter-technologies").click();
  await expect(page.getByTestId("option-R")).toBeVisible();
  await page.waitForTimeout(400);
  await expectNoViolations(page);
});
