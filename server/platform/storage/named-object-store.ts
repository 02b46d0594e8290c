import type { Clock } from "../clock.ts";
import type { Db, Tx } from "../db/database.ts";
import type { StagedObject } from "./storage.ts";

/**
 * Makes staged bytes readable before a record names them: the object's row first, so that the sweep knows the bytes
 * even if nothing ever names them; then the bytes. The transaction that names them locks them.
 */
export async function keepObject(db: Db, clock: Clock, staged: StagedObject): Promise<void> {
  await remember(db, clock, staged);
  await staged.keep();
}

/**
 * From here until the transaction ends, the bytes exist and are not removed. Other uploads of the same bytes can hold them
 * at the same time.
 */
export async function holdObject(tx: Tx, clock: Clock, staged: StagedObject): Promise<void> {
  const row = await tx
    .selectFrom("objects")
    .select("digest")
    .where("digest", "=", staged.digests.sha256)
    .forKeyShare()
    .executeTakeFirst();
  if (!row) await keepAgain(tx, clock, staged);
}

/** The same for bytes that existed before, unnamed, which the sweep has removed since they were kept. */
export async function keepAgain(tx: Tx, clock: Clock, staged: StagedObject): Promise<void> {
  await remember(tx, clock, staged);
  await staged.keep();
}

/** Once a file is decided on, nobody compares it with what it has replaced. */
export const reviewersNeed =
  "exists (select from submissions where submissions.id = submission_id and submissions.state = 'WAITING')";

/**
 * Digest and size of every object that a record names, once: files of packages, what waiting files have replaced, and
 * files that are or were served, except purged ones. The sweep keeps the same ones.
 */
export const namedObjectsQuery = `
  select digest, size from packages
  union select manual_digest, manual_size from packages where manual_digest is not null
  union select digest, size from published_files where not purged
  union select digest, size from previous_uploads where ${reviewersNeed}`;

async function remember(db: Db | Tx, clock: Clock, { digests, size }: StagedObject): Promise<void> {
  const row = { digest: digests.sha256, size, last_put_on: clock() };
  await db
    .insertInto("objects")
    .values(row)
    .onConflict((conflict) => conflict.column("digest").doUpdateSet({ last_put_on: row.last_put_on }))
    .execute();
}
