import { useSyncExternalStore } from "react";
import { configuration } from "../api/configuration.ts";

/** A call that cannot be undone, delayed for some seconds. */
export interface DelayedAction {
  /** The row that it affects. */
  key: string;
  /** What is about to happen: "accepting". */
  label: string;
  /** Sends it. `leaving`: the page is closing, and the call must survive that. */
  send(leaving: boolean): Promise<void>;
}

const delayed = new Map<string, { call: DelayedAction; timer: ReturnType<typeof setTimeout> }>();
const listeners = new Set<() => void>();
let snapshot: ReadonlyMap<string, string> = new Map();

function changed(): void {
  snapshot = new Map([...delayed].map(([key, { call }]) => [key, call.label]));
  for (const listener of listeners) listener();
}

/** Delays a call. What was delayed for the same row is sent first. */
export function delayAction(call: DelayedAction): void {
  void sendNow(call.key);
  const timer = setTimeout(() => void sendNow(call.key), configuration().undoSeconds * 1000);
  delayed.set(call.key, { call, timer });
  changed();
}

export function undo(key: string): void {
  const entry = delayed.get(key);
  if (!entry) return;
  clearTimeout(entry.timer);
  delayed.delete(key);
  changed();
}

async function sendNow(key: string, leaving = false): Promise<void> {
  const entry = delayed.get(key);
  if (!entry) return;
  clearTimeout(entry.timer);
  delayed.delete(key);
  changed();
  await entry.call.send(leaving);
}

/** Sends everything immediately: on navigation, when the page hides, before signing out. Resolves when it is done. */
export async function sendDelayed(leaving = false): Promise<void> {
  await Promise.allSettled([...delayed.keys()].map((key) => sendNow(key, leaving)));
}

/** Delayed calls, by row. */
export const useDelayedActions = (): ReadonlyMap<string, string> =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => snapshot,
  );

export function sendDelayedWhenHidden(): void {
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") void sendDelayed(true);
  });
  window.addEventListener("pagehide", () => void sendDelayed(true));
}
