import { expect, type Page } from "@playwright/test";

const demoPassword = "packhouse-demo";

/** Signs in through the screen, as people do. */
export async function signInAs(page: Page, login: string): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("User name").fill(login);
  await page.getByLabel("Password", { exact: true }).fill(demoPassword);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByTestId("table-packages")).toBeVisible();
}

/** Saves theme and language as the settings screen does. */
export async function choose(page: Page, theme: string, language: string): Promise<void> {
  const status = await page.evaluate(
    async ([theme, language]) => {
      const headers = {
        authorization: `Bearer ${localStorage.getItem("packhouse.token")}`,
        "content-type": "application/json-patch+json",
      };
      const me = (await (await fetch("/api/v2/manager/users/me", { headers })).json()) as { data: { id: number } };
      const body = JSON.stringify([
        { op: "replace", path: "/theme", value: theme },
        { op: "replace", path: "/language", value: language },
      ]);
      return (await fetch(`/api/v2/manager/user-settings/${me.data.id}`, { method: "PATCH", headers, body })).status;
    },
    [theme, language === "pl" ? "pl-PL" : "en-US"] as const,
  );
  expect(status).toBe(200);
}
