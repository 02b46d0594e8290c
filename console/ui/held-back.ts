import { useSyncExternalStore } from "react";
import { configuration } from "../api/configuration.ts";

/** A call that cannot be undone, kept for some seconds before it is sent. */
export interface HeldCall {
  /** The row that it is about. */
  key: string;
  /** What is about to happen: "accepting". */
  label: string;
  /** Sends it. `leaving`: the page is going, so it must survive that. */
  send(leaving: boolean): Promise<void>;
}

const held = new Map<string, { call: HeldCall; timer: ReturnType<typeof setTimeout> }>();
const listeners = new Set<() => void>();
let snapshot: ReadonlyMap<string, string> = new Map();

function changed(): void {
  snapshot = new Map([...held].map(([key, { call }]) => [key, call.label]));
  for (const listener of listeners) listener();
}

/** Holds a call back. What was held back for the same row is sent first. */
export function holdBack(call: HeldCall): void {
  void sendNow(call.key);
  const timer = setTimeout(() => void sendNow(call.key), configuration().undoSeconds * 1000);
  held.set(call.key, { call, timer });
  changed();
}

export function undo(key: string): void {
  const entry = held.get(key);
  if (!entry) return;
  clearTimeout(entry.timer);
  held.delete(key);
  changed();
}

async function sendNow(key: string, leaving = false): Promise<void> {
  const entry = held.get(key);
  if (!entry) return;
  clearTimeout(entry.timer);
  held.delete(key);
  changed();
  await entry.call.send(leaving);
}

/** Sends everything at once: on navigation, when the page hides, before signing out. Resolves when it is answered. */
export async function sendHeldBack(leaving = false): Promise<void> {
  await Promise.allSettled([...held.keys()].map((key) => sendNow(key, leaving)));
}

/** What is being held back, by row. */
export const useHeldBack = (): ReadonlyMap<string, string> =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => snapshot,
  );

export function sendHeldBackWhenHidden(): void {
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") void sendHeldBack(true);
  });
  window.addEventListener("pagehide", () => void sendHeldBack(true));
}
