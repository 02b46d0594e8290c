import { readConfiguration } from "@packhouse/contract/operations/configuration";
import { useSyncExternalStore } from "react";
import { apiAddress } from "./configuration.ts";
import { credentials } from "./credentials.ts";

const retryEveryMs = 1000;
const giveUpAfterMs = 10_000;

/** The session's reaction; set by the app, because signing out navigates. */
let handlers = { giveUp() {}, back() {} };
export const handleLostConnectionBy = (given: typeof handlers): void => {
  handlers = given;
};

/** Whether something is running that must not be discarded, such as uploads. */
let mustStay = (): boolean => false;
export const stayWhile = (running: () => boolean): void => {
  mustStay = running;
};

let lost = false;
const listeners = new Set<() => void>();
function set(now: boolean): void {
  lost = now;
  for (const listener of listeners) listener();
}

export const isConnectionLost = (): boolean => lost;
/** Calls a listener when the connection is lost, and when it is back. */
export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
export const useConnectionLost = (): boolean => useSyncExternalStore(onConnectionChange, isConnectionLost);

/**
 * After a call without a response: checks once a second whether the server is back, while the page stays as it is.
 * After ten seconds the session ends, but never while an upload runs.
 */
export function noticeLostConnection(): void {
  if (lost || credentials().token() === null) return;
  set(true);
  const since = Date.now();
  const ask = async () => {
    if (credentials().token() === null) return set(false);
    // Any response at all will do.
    const answers = await fetch(apiAddress(readConfiguration.path), { cache: "no-store" }).then(
      () => true,
      () => false,
    );
    if (answers) {
      set(false);
      handlers.back();
    } else if (Date.now() - since >= giveUpAfterMs && !mustStay()) {
      set(false);
      handlers.giveUp();
    } else setTimeout(() => void ask(), retryEveryMs);
  };
  setTimeout(() => void ask(), retryEveryMs);
}
