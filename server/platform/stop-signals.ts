/** A signal to a whole group of processes reaches the server directly and through those that pass it on. */
const sameSignalMs = 1000;

/**
 * Calls `stop` at the first signal that asks for it: Ctrl-C, a supervisor, a terminal that is closed. A second one that
 * comes later means that the operator does not want to wait; the process then ends at once.
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
 * `npm start` and `bin/packhouse` on an older Node start this process over a channel and wait for it. When the channel
 * ends they were killed, and nobody could stop this process or start it again: it ends, too. A process that was started
 * by itself has no channel.
 */
export function endWithLauncher(): void {
  if (!process.channel) return;
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel.unref();
}

/** Whether output can be shown is no reason to end: who read it may have been killed. */
export function surviveLostOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: Error) => {
      if (!("code" in error) || error.code !== "EPIPE") throw error;
    });
}
