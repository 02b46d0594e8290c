import { Socket } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startPackhouse, type TestPackhouse } from "../../../testing/packhouse.ts";
import { type OpenDatabase, openDatabase, type Tx } from "../database.ts";
import { pipelined } from "./pipelined.ts";

let packhouse: TestPackhouse;
beforeAll(async () => {
  packhouse = await startPackhouse();
  await sql`create table notes (text text primary key)`.execute(packhouse.deps.db);
});
afterAll(() => packhouse[Symbol.asyncDispose]());

const add = (tx: Tx, text: string) => sql`insert into notes values (${text})`.execute(tx);
const notes = async () =>
  (await sql<{ text: string }>`select text from notes order by text`.execute(packhouse.deps.db)).rows.map(
    ({ text }) => text,
  );
const inTransaction = <T>(work: (tx: Tx) => Promise<T>) => pipelined(packhouse.deps.db.transaction(), work);

test("statements are sent before those before them are answered, and run in order", async () => {
  const { options } = packhouse.openDatabase().pool;
  let sent = "";
  const stream = () => {
    const socket = new Socket();
    // Node replaces the function when it connects.
    socket.once("connect", () => {
      vi.spyOn(socket, "write").mockImplementation((bytes) => {
        sent += String(bytes);
        return Socket.prototype.write.call(socket, bytes);
      });
    });
    return socket;
  };
  await using own = closing(openDatabase({ ...options, password: options.password, max: 1, stream }));
  await using holder = closing(packhouse.openDatabase());
  const lock = sql`select pg_advisory_lock(4711)`;
  const held = await holder.pool.connect();
  await held.query("select pg_advisory_lock(4711)");
  await pipelined(own.db.transaction(), async (tx) => {
    const answers = Promise.all([
      lock.execute(tx),
      add(tx, "first"),
      sql`update notes set text = 'second' where text = 'first'`.execute(tx),
    ]);
    await vi.waitUntil(() => sent.includes("set text = 'second'"), { timeout: 30_000 });
    await held.query("select pg_advisory_unlock(4711)");
    await answers;
  });
  held.release();
  expect(await notes()).toEqual(["second"]);
});

const closing = (database: OpenDatabase): OpenDatabase & AsyncDisposable => ({
  ...database,
  [Symbol.asyncDispose]: () => database.close(),
});

test("after one that fails, those after it do as well, and nothing is kept", async () => {
  const results: PromiseSettledResult<unknown>[] = [];
  const work = inTransaction(async (tx) => {
    const all = [add(tx, "kept"), add(tx, "kept"), add(tx, "late")];
    results.push(...(await Promise.allSettled(all)));
    await Promise.all(all);
  });
  await expect(work).rejects.toThrow("notes_pkey");
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  expect(await notes()).not.toContain("kept");
});

test("what is still running when the work fails sends nothing more", async () => {
  let slow: Promise<unknown> | undefined;
  /** After the end of the transaction was sent, and before it is answered. */
  const addSlowly = async (tx: Tx) => {
    for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
    return add(tx, "outside");
  };
  const work = inTransaction((tx) => {
    slow = addSlowly(tx);
    return Promise.all([slow, Promise.reject(new Error("refused"))]);
  });
  await expect(work).rejects.toThrow("refused");
  await expect(slow).rejects.toThrow("has ended");
  expect(await notes()).not.toContain("outside");
});

test("last statements are sent when the work has ended, and kept with it", async () => {
  await pipelined(packhouse.deps.db.transaction(), async (tx, last) => {
    last(() => sql`update notes set text = 'last' where text = 'work'`.execute(tx));
    await add(tx, "work");
  });
  expect(await notes()).toContain("last");
});

test("when a last statement fails, nothing is kept, and the failure is reported", async () => {
  const work = pipelined(packhouse.deps.db.transaction(), async (tx, last) => {
    await add(tx, "unkept");
    last(() => add(tx, "unkept"));
    last(() => add(tx, "never"));
  });
  await expect(work).rejects.toThrow("notes_pkey");
  expect(await notes()).not.toContain("unkept");
  expect(await notes()).not.toContain("never");
});

test("a last statement that is not sent by its call rolls everything back", async () => {
  const work = pipelined(packhouse.deps.db.transaction(), async (tx, last) => {
    await add(tx, "unkept");
    last(async () => {
      await Promise.resolve();
      return add(tx, "slow");
    });
  });
  await expect(work).rejects.toThrow("not sent at once");
  expect(await notes()).not.toContain("unkept");
  expect(await notes()).not.toContain("slow");
});

test("a transaction that sends nothing leaves its connection usable", async () => {
  await inTransaction(async () => undefined);
  await expect(inTransaction(() => Promise.reject(new Error("changed its mind")))).rejects.toThrow("changed its mind");
  await inTransaction((tx) => add(tx, "after"));
  expect(await notes()).toContain("after");
});
