import type { Logger } from "pino";
import type { Serials } from "./render-store.ts";

/** The state after a render, or undefined while another connection renders. */
type RenderEnd = Serials | "failed" | undefined;

/**
 * Renders in the calls that wait for it, which takes less than having a job fetched. Calls that wait for the same
 * repository share its renders; each goes on after the one that it waited for, while those that follow still run.
 *
 * `renderAll` reports the state after each render but the last one, with which it ends.
 */
export function sharedRenders(
  renderAll: (repositoryId: number, rendered: (state: Serials) => void) => Promise<Serials | undefined>,
  log: Logger,
): (repositoryId: number) => Promise<RenderEnd> {
  /** How the render that runs now will end. */
  const running = new Map<number, PromiseWithResolvers<RenderEnd>>();

  const end = (id: number, outcome: RenderEnd) => {
    const ended = running.get(id);
    running.set(id, Promise.withResolvers());
    ended?.resolve(outcome);
  };
  const start = async (id: number) => {
    try {
      end(id, await renderAll(id, (state) => end(id, state)));
    } catch (error) {
      log.error({ err: error, repositories: [id] }, "publication failed");
      end(id, "failed");
    } finally {
      running.delete(id);
    }
  };
  return (id) => {
    const shared = running.get(id) ?? Promise.withResolvers<RenderEnd>();
    if (!running.has(id)) {
      running.set(id, shared);
      void start(id);
    }
    return shared.promise;
  };
}
