import { spawn } from "node:child_process";
import { join } from "node:path";
import { provideConsole } from "./console-build.ts";
import { project } from "./stages.ts";

/** `npm start` and `npm run demo`: builds what changed, then hands over to the server. */
const command = process.argv.includes("--demo") ? "demo" : "start";
await provideConsole();
process.stdout.write("Starting …\n");

const server = spawn(process.execPath, [join(project, "server/packhouse.ts"), command], {
  cwd: project,
  stdio: "inherit",
});
// Ctrl-C reaches the server by itself, because it shares the terminal; a signal to us alone is passed on.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, () => server.kill(signal));
server.on("exit", (code) => {
  process.exitCode = code ?? 1;
});
