import { hasCode } from "./errors/has-code.ts";

/** A signal to a whole group of processes reaches the server directly and through those that pass it on. */
const sameSignalMs = 1000;

/**
 * Calls `stop` at the first signal that asks for it: Ctrl-C, a supervisor, a terminal that is closed. A later second
 * one means that the operator does not want to wait; the process then ends immediately.
 */
export function onStopSignal(stop: () => void): void {
  let firstAt: number | undefined;
  const onSignal = () => {
    if (firstAt === undefined) {
      firstAt = performance.now();
      stop();
    } else if (performance.now() - firstAt > sameSignalMs) process.exit(1);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
}

/**
 * `npm start` and `bin/packhouse` on an older Node start this process over a channel and wait for it. If the channel
 * closes, they were killed, and nothing could stop or restart this process: it ends, too. A process that was started
 * directly has no channel.
 */
export function endWithLauncher(): void {
  if (!process.channel) return;
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel.unref();
}

/** Failing output is no reason to end: its reader may have been killed. */
export function surviveLostOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: Error) => {
      if (!hasCode(error, "EPIPE")) throw error;
    });
}
