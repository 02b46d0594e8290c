import { expect, type Page } from "@playwright/test";

const demoPassword = "packhouse-demo";

/** The session that tests share, by user and server: each password takes the server a while. */
const shared = new Map<string, string>();

/** Signs in by a call, where signing in is not what a test is about. The console is not open yet. */
export async function signInAs(page: Page, login: string): Promise<void> {
  await page.goto("/configuration.json"); // where the console is, without running it
  const key = `${login} at ${new URL(page.url()).origin}`;
  shared.set(key, await tokenOf(page, login, shared.get(key)));
}

/** Signs in by a call, with a session that no other test has, and opens the packages. */
export async function openPackagesAs(page: Page, login: string): Promise<void> {
  await page.goto("/configuration.json");
  await tokenOf(page, login);
  await page.goto("/packages");
  await expect(page.getByTestId("table-packages")).toBeVisible();
}

/** The known token, or that of a new session where it is not valid any more; the page has it, too. */
async function tokenOf(page: Page, login: string, known?: string): Promise<string> {
  let token = "";
  // A server that has just started may still be busy, and says so.
  await expect
    .poll(
      async () => {
        const answer = await page.evaluate(signIn, [login, demoPassword, known] as const);
        token = answer.token;
        return answer.status;
      },
      { timeout: 30_000 },
    )
    .toBe(200);
  return token;
}

/** Runs in the page. */
async function signIn([login, password, known]: readonly [string, string, string | undefined]) {
  const { serverAddress } = (await (await fetch("/configuration.json")).json()) as { serverAddress: string };
  const keep = (token: string) => {
    localStorage.setItem("packhouse.token", token);
    return { status: 200, token };
  };
  const me = { headers: { authorization: `Bearer ${known}` } };
  if (known !== undefined && (await fetch(`${serverAddress}/api/v2/manager/users/me`, me)).ok) return keep(known);
  const answer = await fetch(`${serverAddress}/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ login, password }),
  });
  if (!answer.ok) return { status: answer.status, token: "" };
  return keep(((await answer.json()) as { data: { token: string } }).data.token);
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
