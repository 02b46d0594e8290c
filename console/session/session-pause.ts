import { useSyncExternalStore } from "react";

/**
 * A session that ended under an open page. Calls wait until the same person has signed in again, so that nothing that was
 * entered is lost; `offered` is the same question before the end, when nothing has to wait yet.
 */
type Pause = "none" | "offered" | "over";

let pause: Pause = "none";
let waiting = Promise.withResolvers<void>();
const listeners = new Set<() => void>();
function set(now: Pause): void {
  pause = now;
  for (const listener of listeners) listener();
}

/** Whoever uses this shows the sign-in over the page. */
export const useSessionPause = (): Pause =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => pause,
  );

/** Offers to sign in again before the session ends. */
export function offerSignIn(): void {
  if (pause === "none") set("offered");
}
export function declineSignIn(): void {
  if (pause === "offered") set("none");
}

/** The session is over. False when no page stands over which one could sign in again. */
export function pauseSession(): boolean {
  if (listeners.size === 0) return false;
  if (pause !== "over") set("over");
  return true;
}

/** What to wait for while the session is over; rejects when the user leaves instead of signing in again. */
export const sessionToGoOn = (): Promise<void> | undefined => (pause === "over" ? waiting.promise : undefined);

/** The same person has signed in again, here or in another tab. */
export function resumeSession(): void {
  if (pause === "none") return;
  const { resolve } = waiting;
  waiting = Promise.withResolvers();
  set("none");
  resolve();
}

export function abandonSession(): void {
  if (pause === "none") return;
  const { promise, reject } = waiting;
  waiting = Promise.withResolvers();
  set("none");
  promise.catch(() => {}); // perhaps nobody waits
  reject(new DOMException("the person has left", "AbortError"));
}
