import { type ComponentType, lazy } from "react";

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
const attempts = 3;

/**
 * A component that is loaded when it is first shown. While the server is unreachable, the previous content stays and
 * loading is retried: after a failure, React would remove the whole screen.
 */
export const lazyWithRetry = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await withRetry(load) }));

/** Loads a part of the console. It only fails if the server responds but no longer has it, as after an upgrade. */
export async function withRetry<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await load();
    } catch (error) {
      if (failures >= attempts && (await serverAnswers())) throw error;
      await new Promise((done) => setTimeout(done, Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs)));
    }
  }
}

const serverAnswers = (): Promise<boolean> =>
  fetch(document.baseURI, { method: "HEAD", cache: "no-store" }).then(
    () => true,
    () => false,
  );
