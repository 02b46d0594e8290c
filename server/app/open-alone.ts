import { resolve } from "node:path";
import type { Logger } from "pino";
import { type OpenedBackends, openBackends } from "../platform/backends/backends.ts";
import { beTheOneServer } from "../platform/db/embedded/one-server.ts";
import type { Settings } from "../platform/settings/settings.ts";

/** The embedded database serves one server only; servers that share another database share the work. */
export async function openAlone(
  settings: Settings,
  log: Logger,
  opened: AsyncDisposableStack,
): Promise<OpenedBackends> {
  const backends = await openBackends(settings, log);
  opened.defer(() => backends.close());
  if (settings.databaseUrl) return backends;
  const alone = await beTheOneServer(backends.database.pool.options, resolve(settings.dataDir), log);
  opened.defer(() => alone.release());
  return backends;
}
