import type { Db, Tx } from "../database.ts";
import { isOneOf } from "../statements/is-one-of.ts";

/**
 * Locks an account until the transaction ends, to serialize transactions that read and then change it. Others can still
 * refer to the account, as every event does.
 */
export const lockUser = (tx: Db | Tx, id: number): Promise<void> => lockUsers(tx, [id]);

/** The same for several, in the order of their ids. */
export async function lockUsers(tx: Db | Tx, ids: readonly number[]): Promise<void> {
  await tx.selectFrom("users").select("id").where(isOneOf("id", ids)).orderBy("id").forNoKeyUpdate().execute();
}
