import type { Page, Route } from "@playwright/test";

/** Where the calls of the API lie, for `page.route`. */
export const api = (path: string): string => `**/api/v2/manager${path}`;

interface Refusal {
  status: number;
  messageCode: string;
  message?: string;
  data?: unknown;
}

/** Answers matching calls as a server would that refuses them. The console cannot distinguish it from a real one. */
export async function refuse(page: Page, pattern: string, refusal: Refusal, method?: string): Promise<void> {
  await page.route(pattern, (route) => {
    if (method && route.request().method() !== method) return route.fallback();
    return refuseOne(route, refusal);
  });
}

export const refuseOne = (
  route: Route,
  { status, messageCode, message = "in the server's words", data = null }: Refusal,
) =>
  route.fulfill({
    status,
    contentType: "application/json",
    body: JSON.stringify({ status: "ERROR", code: status, message, messageCode, data }),
  });

/** No call gets an answer, as with a cable pulled. The browser's own way to do so takes effect a moment later. */
export const cutOff = (page: Page): Promise<void> =>
  page.route(api("/**"), (route) => route.abort("internetdisconnected")).then(() => undefined);
export const plugIn = (page: Page): Promise<void> => page.unroute(api("/**"));

/** Lets a call through and changes what its answer carries. */
export async function change(
  page: Page,
  pattern: string,
  alter: (data: Record<string, unknown>) => void,
): Promise<void> {
  await page.route(pattern, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { data: Record<string, unknown> };
    alter(body.data);
    await route.fulfill({ response, json: body });
  });
}
