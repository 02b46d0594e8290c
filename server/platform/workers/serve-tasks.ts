import { Worker } from "node:worker_threads";
import { type ByteSource, bytesOf, readOnceIfSmall } from "@packhouse/formats/byte-source";
import { fileSource } from "../storage/staging.ts";
import { type FromWorker, failureOf, type SourceOfTask, type ToWorker } from "./messages.ts";
import type { Implementation, TaskContext } from "./task.ts";

/**
 * A task may never return, and then nothing else runs on this thread: only another thread notices that the server is
 * gone.
 */
const watchParent = `
  const parent = process.ppid;
  setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, "SIGKILL"); }, 2000);
`;

const send = (message: FromWorker): Promise<void> =>
  new Promise((resolve, reject) => {
    if (!process.send) return reject(new Error("only the server starts this program"));
    process.send(message, (error: Error | null) => (error ? reject(error) : resolve()));
  });

let waiting: PromiseWithResolvers<Uint8Array> | undefined;

let lastPart: Promise<unknown> = Promise.resolve();

/** Requests the bytes from the server, one part at a time, whichever file they are of. */
const askedSource = (source: number, size: number): ByteSource => ({
  size,
  read(offset, length) {
    const part = lastPart.then(async () => {
      waiting = Promise.withResolvers<Uint8Array>();
      await send({ type: "read", source, offset, length });
      return waiting.promise;
    });
    lastPart = part.catch(() => undefined);
    return part;
  },
});

function sourceFor(source: SourceOfTask, index: number): ByteSource {
  if ("bytes" in source) return bytesOf(source.bytes);
  return readOnceIfSmall("path" in source ? fileSource(source.path, source.size) : askedSource(index, source.size));
}

/** The main loop of a worker process, which `pool.ts` starts and ends: runs one task after the other. */
export async function serveTasks(taskOf: (name: string) => Implementation[1] | undefined): Promise<void> {
  new Worker(watchParent, { eval: true }).unref();
  // A signal to the whole group is meant for the server, which ends its workers itself when their tasks are done.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
  process.on("disconnect", () => process.exit(0));
  process.on("message", (message: ToWorker) => {
    if (message.type === "run") void run(message);
    else if (message.type === "bytes") waiting?.resolve(message.bytes);
    else waiting?.reject(new Error("the bytes could not be read"));
  });

  const run = async ({ name, input, sources }: Extract<ToWorker, { type: "run" }>) => {
    lastPart = Promise.resolve();
    const [source, ...others] = sources.map(sourceFor);
    const context: TaskContext = {
      source,
      others,
      emit: (bytes) => send({ type: "piece", bytes }),
    };
    try {
      const implementation = taskOf(name);
      if (!implementation) throw new Error(`no worker knows the task ${name}`);
      await send({ type: "done", output: await implementation(input, context) });
    } catch (error) {
      await send({ type: "failed", failure: failureOf(error) });
    }
  };
  await send({ type: "ready" });
}
