import { expect, type Page, type Request } from "@playwright/test";

const pending = new WeakMap<Page, Set<Request>>();

/** Notes which requests of a page have no answer yet, for `untilQuiet`. */
export function noteRequests(page: Page): void {
  const requests = new Set<Request>();
  pending.set(page, requests);
  page.on("request", (request) => {
    // What the page before has asked for is not always reported as failed, and icons of pages not as finished.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) requests.clear();
    if (request.resourceType() !== "other") requests.add(request);
  });
  // The end of a response that is read later, or never, is not always reported.
  page.on("response", (response) => requests.delete(response.request()));
  page.on("requestfinished", (request) => requests.delete(request));
  page.on("requestfailed", (request) => requests.delete(request));
}

/** Waits until every request has its answer, what came of it is drawn, and nothing moves. */
export async function untilQuiet(page: Page): Promise<void> {
  const requests = pending.get(page);
  if (!requests) throw new Error("the requests of this page are not noted");
  await expect
    .poll(async () => {
      if (requests.size > 0) return [...requests].map((request) => request.url());
      const moving = await page.evaluate(async () => {
        // Neither waits for the page without an end: a busy one may never be idle, a removed animation never finish.
        await new Promise((idle) => requestIdleCallback(idle, { timeout: 1000 }));
        return document
          .getAnimations()
          .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
          .filter(({ playState }) => playState === "running")
          .map(({ id }) => `animation ${id}`);
      });
      // Drawing may have asked for more.
      return [...[...requests].map((request) => request.url()), ...moving];
    })
    .toEqual([]);
}
