import { expect, type Page } from "@playwright/test";

const demoPassword = "packhouse-demo";

/** Signs in by a call, where signing in is not what a test is about, and opens the packages. */
export async function signInAs(page: Page, login: string): Promise<void> {
  await page.goto("/actuator/health/liveness"); // a page of the server that is no console yet
  const send = () =>
    page.evaluate(
      async ([login, password]) => {
        const headers = { "content-type": "application/json" };
        const answer = await fetch("/login", { method: "POST", headers, body: JSON.stringify({ login, password }) });
        if (!answer.ok) return answer.status;
        const { data } = (await answer.json()) as { data: { token: string } };
        localStorage.setItem("packhouse.token", data.token);
        return answer.status;
      },
      [login, demoPassword] as const,
    );
  // A server that has just started may still be busy, and says so.
  await expect.poll(send, { timeout: 30_000 }).toBe(200);
  await page.goto("/packages");
  await expect(page.getByTestId("table-packages")).toBeVisible();
}

/** Signs in on the screen, as users do. */
export async function signInByForm(page: Page, login: string): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("Username").fill(login);
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
