import { sql } from "kysely";
import { type Db, type Tx, violatesUnique } from "../../platform/db/database.ts";
import type { NewSecondFactorRow, SecondFactorRow } from "../../platform/db/schema.ts";
import type { Passkey } from "./passkeys.ts";

/** A factor without its secrets. */
export type SecondFactor = Pick<SecondFactorRow, "id" | "user_id" | "kind" | "name" | "created_on" | "last_used_on">;

export class PasskeyTaken extends Error {}

const shown = ["id", "user_id", "kind", "name", "created_on", "last_used_on"] as const;

export function secondFactors(db: Db | Tx) {
  return {
    of: (userId: number): Promise<SecondFactor[]> =>
      db.selectFrom("second_factors").select(shown).where("user_id", "=", userId).orderBy("id").execute(),

    byId: (id: number): Promise<SecondFactor | undefined> =>
      db.selectFrom("second_factors").select(shown).where("id", "=", id).executeTakeFirst(),

    /** A factor with the keys to verify it. */
    async secretsOf(
      userId: number,
    ): Promise<{ totps: { id: number; secret: Buffer }[]; passkeys: (Passkey & { id: number })[] }> {
      const rows = await db
        .selectFrom("second_factors")
        .selectAll()
        .where("user_id", "=", userId)
        .orderBy("id")
        .execute();
      return {
        totps: rows.flatMap(({ id, totp_secret: secret }) => (secret ? [{ id, secret }] : [])),
        passkeys: rows.flatMap(
          ({ id, credential_id: credentialId, public_key: publicKey, signature_count, transports }) =>
            credentialId !== null && publicKey
              ? [{ id, credentialId, publicKey, signatureCount: signature_count ?? 0, transports }]
              : [],
        ),
      };
    },

    async insert(row: NewSecondFactorRow): Promise<SecondFactor> {
      try {
        return await db.insertInto("second_factors").values(row).returning(shown).executeTakeFirstOrThrow();
      } catch (error) {
        if (violatesUnique(error, "second_factors_credential_id_key")) throw new PasskeyTaken();
        throw error;
      }
    },

    async rename(id: number, name: string): Promise<void> {
      await db.updateTable("second_factors").set({ name }).where("id", "=", id).execute();
    },

    async remove(id: number): Promise<void> {
      await db.deleteFrom("second_factors").where("id", "=", id).execute();
    },

    /** Removes everything; returns the number of removed factors. */
    async removeAll(userId: number): Promise<number> {
      const { numDeletedRows } = await db.deleteFrom("second_factors").where("user_id", "=", userId).executeTakeFirst();
      await db.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
      await db.deleteFrom("second_factor_continuations").where("user_id", "=", userId).execute();
      await db.deleteFrom("second_factor_attempts").where("user_id", "=", userId).execute();
      return Number(numDeletedRows);
    },

    /** Each time step is accepted once. False if it, or a later one, was used before. */
    async acceptStep(id: number, step: number, now: Date): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable("second_factors")
        .set({ totp_last_step: step, last_used_on: now })
        .where("id", "=", id)
        .where("totp_last_step", "<", step)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** The count of a passkey only grows, if it counts at all. False if the passkey may have been copied. */
    async acceptSignature(id: number, count: number, now: Date): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable("second_factors")
        .set({ signature_count: count, last_used_on: now })
        .where("id", "=", id)
        .where(sql<boolean>`(signature_count < ${count} or (signature_count = 0 and ${count} = 0))`)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async acceptRecoveryCode(userId: number, hash: string, now: Date): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable("recovery_codes")
        .set({ used_on: now })
        .where("user_id", "=", userId)
        .where("code_hash", "=", hash)
        .where("used_on", "is", null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async recoveryCodesLeft(userId: number): Promise<number> {
      const { left } = await db
        .selectFrom("recovery_codes")
        .select(sql<number>`count(*)`.as("left"))
        .where("user_id", "=", userId)
        .where("used_on", "is", null)
        .executeTakeFirstOrThrow();
      return left;
    },

    /** Invalidates earlier codes. */
    async replaceRecoveryCodes(userId: number, hashes: readonly string[], now: Date): Promise<void> {
      await db.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
      if (hashes.length === 0) return;
      await db
        .insertInto("recovery_codes")
        .values(hashes.map((code_hash) => ({ user_id: userId, code_hash, created_on: now })))
        .execute();
    },
  };
}
