import { type ConnectionProvider, DummyDriver, PostgresDialect, Transaction, type TransactionBuilder } from "kysely";
import type { Tx } from "../database.ts";
import type { Database } from "../schema.ts";

/**
 * Adds a statement that is sent when the work has ended, together with the commit. It is sent by the call itself, and
 * nothing is sent after its answer.
 */
export type Last = (send: () => Promise<unknown>) => void;

/**
 * Does the work in a transaction whose statements are sent as soon as they are called, in that order, without waiting
 * for the answers to those before: `Promise.all` of them takes one round trip. If one fails, those after it do, too.
 * Kysely itself sends the statements of a transaction one after the other.
 *
 * When the work ends, nothing more is sent but the last statements: after a failure, what was begun together with it may
 * still be running, and its next statement would be outside the transaction.
 */
export async function pipelined<T>(
  transaction: TransactionBuilder<Database>,
  work: (tx: Tx, last: Last) => Promise<T>,
): Promise<T> {
  const answers: Promise<unknown>[] = [];
  const committed = transaction.execute(async (tx) => {
    const executor = tx.getExecutor();
    const connection = await executor.provideConnection(async (it) => it);
    let sent = 0;
    let ended = false;
    const shared: ConnectionProvider = {
      async provideConnection(consumer) {
        if (ended) throw new Error("The work of this transaction has ended.");
        sent += 1;
        return consumer(connection);
      },
    };
    const lasts: (() => Promise<unknown>)[] = [];
    try {
      const pipelining = new Transaction<Database>({ ...unused, executor: executor.withConnectionProvider(shared) });
      const result = await work(pipelining, (send) => lasts.push(send));
      for (const send of lasts) {
        const before = sent;
        const answer = send();
        answer.catch(() => {}); // reported when the commit fails
        if (sent === before) throw new Error("The last statement of a transaction was not sent at once.");
        answers.push(answer);
      }
      return result;
    } finally {
      ended = true;
    }
  });
  try {
    return await committed;
  } catch (error) {
    // Of the commit, only that it was a rollback.
    const failure = (await Promise.allSettled(answers)).find((answer) => answer.status === "rejected");
    throw failure?.reason ?? error;
  }
}

/** Transactions do not connect by themselves. */
const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error("a transaction has its connection")) });
const unused = { config: { dialect }, dialect, driver: new DummyDriver() };
