import { type ConnectionProvider, DummyDriver, PostgresDialect, Transaction, type TransactionBuilder } from "kysely";
import type { Tx } from "../database.ts";
import type { Database } from "../schema.ts";

/**
 * Does the work in a transaction whose statements are sent as soon as they are called, in that order, without waiting
 * for the answers to those before: `Promise.all` of them takes one round trip. If one fails, those after it do, too.
 * Kysely itself sends the statements of a transaction one after the other.
 *
 * When the work ends, nothing more is sent: after a failure, what was begun together with it may still be running, and
 * its next statement would be outside the transaction.
 */
export const pipelined = <T>(transaction: TransactionBuilder<Database>, work: (tx: Tx) => Promise<T>): Promise<T> =>
  transaction.execute(async (tx) => {
    const executor = tx.getExecutor();
    const connection = await executor.provideConnection(async (it) => it);
    let ended = false;
    const shared: ConnectionProvider = {
      async provideConnection(consumer) {
        if (ended) throw new Error("The work of this transaction has ended.");
        return consumer(connection);
      },
    };
    try {
      return await work(new Transaction({ ...unused, executor: executor.withConnectionProvider(shared) }));
    } finally {
      ended = true;
    }
  });

/** Transactions do not connect by themselves. */
const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error("a transaction has its connection")) });
const unused = { config: { dialect }, dialect, driver: new DummyDriver() };
