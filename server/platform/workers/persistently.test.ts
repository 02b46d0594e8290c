import { expect, test } from "vitest";
import { persistently } from "./persistently.ts";
import { LimitReached, TaskDefect, WorkerEnded } from "./task-errors.ts";

const killed = new LimitReached("memory", "1 MB", true);

test.for<[string, Error[], string | Error, number]>([
  ["whose worker was killed is run again", [killed], "done", 2],
  ["whose worker ended is run again", [new WorkerEnded("it ended"), killed], "done", 3],
  ["whose worker is always killed is given up", [killed, killed, killed, killed], killed, 3],
])("a task %s", async ([, failures, expected, runs]) => {
  let count = 0;
  const run = () => {
    const failure = failures[count];
    count += 1;
    return failure ? Promise.reject(failure) : Promise.resolve("done");
  };
  expect(await persistently(run).catch((error: unknown) => error)).toBe(expected);
  expect(count).toBe(runs);
});

test.for([new LimitReached("memory", "1 MB"), new LimitReached("time", "1 s"), new TaskDefect("it throws")])(
  "a task that fails by itself is not run again: %s",
  async (failure) => {
    let count = 0;
    const run = () => {
      count += 1;
      return Promise.reject(failure);
    };
    expect(await persistently(run).catch((error: unknown) => error)).toBe(failure);
    expect(count).toBe(1);
  },
);
