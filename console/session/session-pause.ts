import { useSyncExternalStore } from "react";

/**
 * A session that ended under an open page. Calls wait until the same user has signed in again, so that no input is
 * lost; `offered` is the same dialog before the end, when nothing has to wait yet.
 */
type Pause = "none" | "offered" | "over";

let pause: Pause = "none";
let waiting = Promise.withResolvers<void>();
const listeners = new Set<() => void>();
function set(now: Pause): void {
  pause = now;
  for (const listener of listeners) listener();
}

/** Components that use this show the sign-in over the page. */
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

/** The session has ended. False if there is no page to show the sign-in over. */
export function pauseSession(): boolean {
  if (listeners.size === 0) return false;
  if (pause !== "over") set("over");
  return true;
}

/** What to wait for after the session has ended; rejects if the user leaves instead of signing in again. */
export const sessionToGoOn = (): Promise<void> | undefined => (pause === "over" ? waiting.promise : undefined);

/** The same user has signed in again, here or in another tab. */
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
  promise.catch(() => {}); // there may be no one waiting
  reject(new DOMException("the person has left", "AbortError"));
}
