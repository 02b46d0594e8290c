import type { Db, Tx } from "./database.ts";

/**
 * Holds an account until the transaction ends, so that transactions that read and then change something of it follow
 * one another. The lock lets others refer to the account in the meantime, as every event does.
 */
export async function lockUser(tx: Db | Tx, id: number): Promise<void> {
  await tx.selectFrom("users").select("id").where("id", "=", id).forNoKeyUpdate().execute();
}
