/** Runs something when the browser has painted the page and is idle. Safari has no idle callbacks. */
export function whenIdle(run: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(run, { timeout: 2000 });
  else setTimeout(run, 200);
}
