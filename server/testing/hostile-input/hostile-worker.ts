import { existsSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { tasks } from "../../app/worker-tasks.ts";
import { serveTasks } from "../../platform/workers/serve-tasks.ts";

/** What a defective parser may do to its process, by the prefix of a file name. */
const hostile: Record<string, () => unknown> = {
  endless() {
    for (;;);
  },
  heap() {
    const values = [];
    // Large ones, so that a busy machine reaches the end of memory before the end of the time.
    for (;;) values.push(new Array(200_000).fill(values.length));
  },
  // One allocation beyond the limit: a thread would crash its whole process.
  split: () => "a,".repeat(200_000_000).split(","),
  buffers() {
    const values = [];
    for (;;) values.push(new Uint8Array(20_000_000).fill(1));
  },
  stack() {
    const deeper = (): number => deeper() + 1;
    return deeper();
  },
  exit: () => process.exit(3),
  killed: () => process.kill(process.pid, "SIGKILL"),
  /** As if the machine had run out of memory, but only the first time. */
  killedonce() {
    const mark = join(tmpdir(), `packhouse-killed-${process.ppid}`);
    if (existsSync(mark)) return rmSync(mark);
    writeFileSync(mark, "");
    process.kill(process.pid, "SIGKILL");
  },
  /** As if the machine were too busy, but only the first time. */
  slowonce() {
    const mark = join(tmpdir(), `packhouse-slow-${process.ppid}`);
    if (existsSync(mark)) return rmSync(mark);
    writeFileSync(mark, "");
    for (;;);
  },
  defect() {
    throw new TypeError("nothing is where it should be");
  },
};

/** Of an archive, or of two that are compared. */
const named = z.looseObject({ fileName: z.string().default("") });
const taskInput = named.extend({ after: named.prefault({}) });

/** Does what the product's own worker does, unless the name of the file, or of one that is compared, says otherwise. */
await serveTasks((task) => {
  const own = tasks.get(task);
  return (
    own &&
    ((input, context) => {
      const { fileName, after } = taskInput.parse(input);
      const name = /^hostile\.(\w+)_/.exec(fileName)?.[1] ?? /^comparing\.(\w+)_/.exec(after.fileName)?.[1];
      const behavior = hostile[name ?? ""];
      return behavior?.() ?? own(input, context);
    })
  );
});
