import { expect, test } from "vitest";
import { inTurn, sharedTurns, whenQuiet } from "./repository-turns.ts";

/** A change that runs until the test ends it. */
function change(repositoryId: number) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const begun: number[] = [];
  const ended = inTurn(repositoryId, () => {
    begun.push(performance.now());
    return promise;
  });
  return { begun, ended, resolve, reject };
}

const soon = () => new Promise((done) => setImmediate(done));

test("changes of one repository take turns, also after one that fails, and others do not wait", async () => {
  const [first, second, other] = [change(1), change(1), change(2)];
  await soon();
  expect([first, second, other].map(({ begun }) => begun.length)).toEqual([1, 0, 1]);
  first.reject(new Error("no"));
  await expect(first.ended).rejects.toThrow("no");
  await soon();
  expect(second.begun).toHaveLength(1);
  for (const { resolve } of [second, other]) resolve();
  await Promise.all([second.ended, other.ended]);
});

test("a change knows whether others wait for it", async () => {
  const asked = Promise.withResolvers<void>();
  const first = inTurn(5, async (othersWait) => {
    await asked.promise;
    return othersWait();
  });
  const second = inTurn(5, async (othersWait) => othersWait());
  asked.resolve();
  expect(await Promise.all([first, second])).toEqual([true, false]);
});

test("a repository is quiet when the last change in its queue has ended", async () => {
  await whenQuiet(3, 60_000); // nothing is in its queue
  const [first, second] = [change(3), change(3)];
  let quiet = false;
  const waiting = whenQuiet(3, 60_000).then(() => {
    quiet = true;
  });
  first.resolve();
  await first.ended;
  await soon();
  expect(quiet).toBe(false);
  second.resolve();
  await waiting;
});

test("who waits for quiet goes on after some time", async () => {
  const endless = change(4);
  await whenQuiet(4, 20);
  endless.resolve();
  await endless.ended;
});

test("changes that may share a turn gather while they wait, eight at most, and each learns how it ended", async () => {
  const begun: { names: readonly string[]; end: (failure?: Error) => void }[] = [];
  const share = sharedTurns<string, string>(async (_repositoryId, names) => {
    const ended = Promise.withResolvers<void>();
    begun.push({ names, end: (failure) => (failure ? ended.reject(failure) : ended.resolve()) });
    await ended.promise;
    return names.map((name) => `${name} ended`);
  });
  const letters = [..."abcdefghijk"];
  const ends = letters.map((name) => share.add(6, name));
  ends.push(share.add(7, "elsewhere"));
  await soon();
  expect(begun.map(({ names }) => names)).toEqual([letters.slice(0, 8), ["elsewhere"]]);
  expect([share.gathered(6), share.gathered(7)]).toEqual([3, 0]);
  ends.push(share.add(6, "late"));
  for (const { end } of begun) end();
  await soon();
  expect(begun.at(-1)?.names).toEqual([...letters.slice(8), "late"]);
  begun.at(-1)?.end();
  expect(await Promise.all(ends)).toEqual([...letters, "elsewhere", "late"].map((name) => `${name} ended`));
  const failing = [share.add(6, "x"), share.add(6, "y")];
  await soon();
  begun.at(-1)?.end(new Error("no"));
  expect(await Promise.allSettled(failing)).toMatchObject([
    { status: "rejected", reason: { message: "no" } },
    { status: "rejected", reason: { message: "no" } },
  ]);
  expect(begun).toHaveLength(4);
});
