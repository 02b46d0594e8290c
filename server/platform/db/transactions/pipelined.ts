import { DummyDriver, PostgresDialect, Transaction, type TransactionBuilder } from "kysely";
import type { Tx } from "../database.ts";
import type { Database } from "../schema.ts";

/**
 * Does the work in a transaction whose statements are sent as soon as they are called, in that order, without waiting
 * for the answers to those before: `Promise.all` of them takes one round trip. If one fails, those after it do, too.
 * Kysely itself sends the statements of a transaction one after the other.
 */
export const pipelined = <T>(transaction: TransactionBuilder<Database>, work: (tx: Tx) => Promise<T>): Promise<T> =>
  transaction.execute(async (tx) => work(await unserialized(tx)));

const unserialized = (tx: Tx): Promise<Tx> => {
  const executor = tx.getExecutor();
  return executor.provideConnection(
    async (connection) =>
      new Transaction<Database>({
        ...unused,
        executor: executor.withConnectionProvider({ provideConnection: (consumer) => consumer(connection) }),
      }),
  );
};

/** Transactions do not connect by themselves. */
const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error("a transaction has its connection")) });
const unused = { config: { dialect }, dialect, driver: new DummyDriver() };
