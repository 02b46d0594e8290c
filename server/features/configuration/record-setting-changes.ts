import { createHmac, type ScryptOptions, scrypt } from "node:crypto";
import { promisify } from "node:util";
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/database.ts";
import { securityLog } from "../../platform/event-log/security-log.ts";
import { guessingCost } from "../../platform/secrets/guessing-cost.ts";
import { storedSecret } from "../../platform/secrets/stored-secret-store.ts";
import { isSecret, type Settings } from "../../platform/settings/settings.ts";
import { settingDigests } from "./setting-digest-store.ts";

const slowDigest = promisify<string, string, number, ScryptOptions, Buffer>(scrypt);

/**
 * Compares the settings with those of the last start, by digests, and records the names of those that differ as one
 * security event. Digests are keyed, and those of secrets are slow to compute: anyone who reads the database must not
 * be able to try passwords on them. The first start has nothing to compare with.
 */
export async function recordSettingChanges({ db, settings, clock }: Context): Promise<void> {
  const key = await storedSecret(db, "setting-digests", clock());
  const digests = await Promise.all(
    Object.entries(settings).map(async ([name, value]) => ({ name, digest: await digestOf(key, name, value) })),
  );
  const known = await settingDigests(db).all();
  const changed = digests.filter(({ name, digest }) => known.get(name) !== digest);
  if (changed.length === 0) return;
  // A setting that the last start did not have came with an update of the product: nobody has changed it.
  const names = changed.map(({ name }) => name).filter((name) => known.has(name));
  await db.transaction().execute(async (tx) => {
    await settingDigests(tx).save(changed.map((it) => ({ ...it, noted_on: clock() })));
    if (names.length > 0) await securityLog(tx, clock()).configurationChange({ names: names.sort() });
  });
}

interface Context {
  db: Db;
  settings: Settings;
  clock: Clock;
}

async function digestOf(key: string, name: string, value: unknown): Promise<string> {
  const text = `${name}\0${JSON.stringify(value) ?? ""}`;
  return isSecret(name) && value !== undefined
    ? (await slowDigest(text, key, 32, guessingCost.scrypt)).toString("hex")
    : createHmac("sha256", key).update(text).digest("hex");
}
