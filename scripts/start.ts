import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { memoryOptions } from "../server/entry/memory-options.ts";
import { provideBuilds } from "./provide-builds.ts";
import { builtServer } from "./server-build.ts";
import { project } from "./stages.ts";

/**
 * `npm start` and `npm run demo`: builds what changed, starts the server, passes signals on to it, and cleans up after a
 * server that was killed.
 */
const command = process.argv.includes("--demo") ? "demo" : "start";
/** The server reports those that do not exist. */
const options = process.argv.slice(2).filter((option) => option !== "--demo");
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

let server: ChildProcess | undefined;
let stoppedBy: NodeJS.Signals | undefined;
const stopped = new AbortController();
const stop = (signal: NodeJS.Signals) => {
  stoppedBy ??= signal;
  // Ctrl-C also reaches the server directly; it takes both for one.
  if (server) server.kill(signal);
  else stopped.abort();
};
for (const signal of signals) process.on(signal, stop);
// The process that started us has been killed; npm's is watched by with-node24.mjs.
if (process.channel) {
  process.once("disconnect", () => stop("SIGTERM"));
  process.channel.unref();
}
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {}); // its reader may have been killed

try {
  await provideBuilds(stopped.signal);
} catch (error) {
  if (!stoppedBy) throw error;
}
if (stoppedBy) process.exit(128 + constants.signals[stoppedBy]);
process.stdout.write("Starting…\n");

server = spawn(process.execPath, [...memoryOptions.node, builtServer, command, ...options], {
  cwd: project,
  env: { ...memoryOptions.environment, ...process.env },
  // Over the channel the server notices when this process is killed.
  stdio: ["inherit", "inherit", "inherit", "ipc"],
});
server.on("exit", async (code, signal) => {
  if (code !== 0) await cleanUp();
  process.exit(code ?? (signal ? 128 + constants.signals[signal] : 1));
});

/** A server that was killed leaves its database running. The next start would take it over, but there may be none. */
async function cleanUp(): Promise<void> {
  try {
    const { readSettings } = await import("../server/platform/settings/settings.ts");
    const { databaseFolderOf } = await import("../server/platform/backends/backends.ts");
    const { stopAbandonedPostgres } = await import("../server/platform/db/embedded/embedded-postgres.ts");
    const dataDir = command === "demo" ? { PACKHOUSE_DATA_DIR: process.env.PACKHOUSE_DATA_DIR ?? "./data-demo" } : {};
    const settings = readSettings({ ...process.env, ...dataDir });
    if (!settings.databaseUrl) await stopAbandonedPostgres(databaseFolderOf(settings));
  } catch {
    // The server has reported what is wrong with settings or folder.
  }
}
