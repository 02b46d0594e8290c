import type { StoredPackage } from "@packhouse/formats/r/vignettes";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { Workers } from "../../platform/workers/pool.ts";
import { renderManualTask } from "./manual-tasks.ts";

/** How many packages whose manual reached a limit are remembered, and for how long. */
const mostRefused = 1000;
const refusedMs = 10 * 60_000;

/**
 * The reference manual of a package as one page; undefined when it has no documentation. A manual that reached a limit
 * of the workers is refused without another try for a while: each try would occupy a worker up to the limit.
 */
export function htmlManuals(workers: Workers): (digest: string, stored: StoredPackage) => Promise<string | undefined> {
  const refused = new Map<string, { refusal: Refusal; until: number }>();
  const underWay = new Map<string, Promise<string | undefined>>();

  const render = async (digest: string, { fileName, kind, source }: StoredPackage) => {
    try {
      return await workers.run(renderManualTask, { fileName, kind }, { source });
    } catch (error) {
      if (error instanceof Refusal && error.status === 422) {
        refused.set(digest, { refusal: error, until: Date.now() + refusedMs });
        const [oldest] = refused.keys();
        if (refused.size > mostRefused && oldest !== undefined) refused.delete(oldest);
      }
      throw error;
    } finally {
      underWay.delete(digest);
    }
  };
  return async (digest, stored) => {
    const earlier = refused.get(digest);
    if (earlier && earlier.until > Date.now()) throw earlier.refusal;
    refused.delete(digest);
    // Concurrent requests for the same page share one result.
    const page = underWay.get(digest) ?? render(digest, stored);
    underWay.set(digest, page);
    return page;
  };
}
