import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../../platform/clock.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { ContinuationRow } from "../../platform/db/schema.ts";
import { lockUser } from "../../platform/db/transactions/lock-user.ts";

type Purpose = ContinuationRow["purpose"];

/** Long enough to find a phone and install an app on it. */
const lifetimeMinutes: Record<Purpose, number> = { "sign-in": 5, "enroll-at-sign-in": 15, enroll: 15 };
/** Passkeys cannot be guessed, but checking one takes time. */
const mostAttempts = 10;
/** Further ones replace the oldest, so that a password alone cannot fill the table. */
const mostPerUser = 10;

export interface NewContinuation {
  userId: number;
  sessionEpoch: number;
  purpose: Purpose;
  challenge?: string | null;
  totpSecret?: Buffer | null;
}

export interface Continuation extends Required<NewContinuation> {
  hash: string;
  expires: Date;
}

const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

/** Opens a second step; only the token's hash is stored. */
export async function openContinuation(
  { db, clock }: { db: Db; clock: Clock },
  { userId, sessionEpoch, purpose, challenge = null, totpSecret = null }: NewContinuation,
): Promise<{ token: string; expires: Date }> {
  const token = randomBytes(32).toString("base64url");
  const now = clock();
  const expires = new Date(now.getTime() + lifetimeMinutes[purpose] * 60_000);
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    await tx.deleteFrom("second_factor_continuations").where("expires_on", "<=", now).execute();
    await tx
      .insertInto("second_factor_continuations")
      .values({
        token_hash: hashOf(token),
        user_id: userId,
        purpose,
        session_epoch: sessionEpoch,
        challenge,
        totp_secret: totpSecret,
        created_on: now,
        expires_on: expires,
      })
      .execute();
    await tx
      .deleteFrom("second_factor_continuations")
      .where("token_hash", "in", (rows) =>
        rows
          .selectFrom("second_factor_continuations")
          .select("token_hash")
          .where("user_id", "=", userId)
          .where("purpose", "=", purpose)
          .orderBy("created_on", "desc")
          .orderBy("token_hash")
          .offset(mostPerUser),
      )
      .execute();
  });
  return { token, expires };
}

/** The open step behind a token; each lookup counts as an attempt, before anything is checked. */
export async function tryContinuation(
  { db, clock }: { db: Db; clock: Clock },
  token: string,
  purpose: Purpose,
): Promise<Continuation | undefined> {
  const row = await db
    .updateTable("second_factor_continuations")
    .set((row) => ({ attempts: row("attempts", "+", 1) }))
    .where("token_hash", "=", hashOf(token))
    .where("purpose", "=", purpose)
    .where("expires_on", ">", clock())
    .where("attempts", "<", mostAttempts)
    .returningAll()
    .executeTakeFirst();
  return (
    row && {
      hash: row.token_hash,
      expires: row.expires_on,
      userId: row.user_id,
      sessionEpoch: row.session_epoch,
      purpose: row.purpose,
      challenge: row.challenge,
      totpSecret: row.totp_secret,
    }
  );
}

/** Stores the pending enrollment; earlier secrets and challenges become invalid. */
export async function setExpected(
  { db }: { db: Db },
  { hash }: Continuation,
  expected: { challenge: string | null; totpSecret: Buffer | null },
): Promise<void> {
  await db
    .updateTable("second_factor_continuations")
    .set({ challenge: expected.challenge, totp_secret: expected.totpSecret })
    .where("token_hash", "=", hash)
    .execute();
}

/** Ends the step in the transaction that it authorizes. False if another request did so first. */
export async function finishContinuation(tx: Tx, { hash }: Continuation): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("second_factor_continuations")
    .where("token_hash", "=", hash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
