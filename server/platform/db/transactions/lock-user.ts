import type { Db, Tx } from "../database.ts";

/**
 * Locks an account until the transaction ends, to serialize transactions that read and then change it. Others can still
 * refer to the account, as every event does.
 */
export async function lockUser(tx: Db | Tx, id: number): Promise<void> {
  await tx.selectFrom("users").select("id").where("id", "=", id).forNoKeyUpdate().execute();
}
