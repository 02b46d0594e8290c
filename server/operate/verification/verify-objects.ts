import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../../platform/clock.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { Digests } from "../../platform/db/schema.ts";
import { digestsOfStream } from "../../platform/storage/digests.ts";
import type { ObjectStorage } from "../../platform/storage/storage.ts";
import type { Finding, Report } from "./finding.ts";
import { listing, type NamingPackage, objectStore } from "./object-store.ts";
import type { Repairs } from "./repairs.ts";

interface ObjectContext {
  db: Db;
  storage: ObjectStorage;
  clock: Clock;
  repairs: Repairs | undefined;
  report: Report;
}

/** An upload writes the row before the bytes; a large one may take a while. */
const uploadGraceMs = 3_600_000;

/**
 * Compares what the storage holds with what the rows name; `deep` reads all bytes, too. Suspects are checked again
 * under the lock that uploads and sweeps take. Returns the number of objects.
 */
export async function verifyObjects(context: ObjectContext, deep: boolean): Promise<number> {
  const { db, storage } = context;
  return db.connection().execute(async (connection) => {
    const list = listing(connection);
    try {
      const count = await list.fill(storage.list());
      await list.compare();
      if (deep) {
        for await (const digest of list.listed()) {
          const found = await bytesOf(storage, digest);
          if (found && !(await agrees(db, digest, found))) await list.suspect(digest);
        }
      }
      for await (const digest of list.suspects()) await examine(context, digest);
      return count;
    } finally {
      await list.forget();
    }
  });
}

interface Bytes {
  digests: Digests;
  size: number;
}

/** Reads an object; undefined when it is missing. */
async function bytesOf(storage: ObjectStorage, digest: string): Promise<Bytes | undefined> {
  if (!(await storage.has(digest))) return undefined;
  try {
    return await digestsOfStream(await storage.read(digest));
  } catch (error) {
    if (!(await storage.has(digest))) return undefined;
    throw error;
  }
}

async function agrees(db: Db, digest: string, { digests }: Bytes): Promise<boolean> {
  if (digests.sha256 !== digest) return false;
  const packages = await objectStore(db).packagesNaming(digest);
  return packages.every((it) => it.asManual || isDeepStrictEqual(it.digests, digests));
}

/** The state of an object, established under its lock. */
interface Examined {
  bytes: "there" | "lost" | "damaged";
  packages: NamingPackage[];
  served: Awaited<ReturnType<ReturnType<typeof objectStore>["servedBy"]>>;
  /** The true digests and size, where records disagree. */
  truth: Bytes | undefined;
}

async function examine(context: ObjectContext, digest: string): Promise<void> {
  const { db, clock, repairs, report } = context;
  const examined = await underLock(db, digest, clock(), (tx, row) => examineLocked(context, tx, digest, row));
  if (!examined) return;
  const { bytes, packages, served, truth } = examined;
  if (bytes !== "there") {
    // Packages first: a reader may then see that the file is gone, but never gets wrong bytes as right ones.
    for (const it of packages) report(await lostOf(digest, it, bytes, repairs));
    for (const it of served.filter(
      ({ repository_id: id }) => !packages.some((other) => other.repository_id === id && !other.asManual),
    )) {
      await repairs?.withdrawFile(it, digest);
      report({
        kind: bytes === "lost" ? "bytes-lost" : "bytes-damaged",
        where: `${it.technology} repository ${it.repository}, ${it.path}`,
        what: `an earlier state of the repository has the file ${digest}, whose bytes are ${bytes}`,
        remedy: "the address reports that the file was permanently removed",
        repaired: repairs !== undefined,
      });
    }
    if (bytes === "damaged" && repairs) await repairs.removeDamaged(digest);
    return;
  }
  if (!truth) return;
  for (const it of packages.filter((it) => wrongIn(it, truth))) {
    await repairs?.correctPackage(it, truth);
    report({
      kind: "record-wrong",
      where: placeOf(it),
      what: `size or digests differ from those of its ${it.asManual ? "manual" : "file"} ${digest}`,
      remedy: "they are taken from the bytes",
      repaired: repairs !== undefined,
    });
  }
  for (const it of served.filter(({ wrongSize }) => wrongSize)) {
    await repairs?.correctServed(it, digest, truth.size);
    report({
      kind: "record-wrong",
      where: `${it.technology} repository ${it.repository}, ${it.path}`,
      what: "the size differs from that of the file",
      remedy: "it is taken from the bytes",
      repaired: repairs !== undefined,
    });
  }
}

/** Runs `work` while no upload and no sweep touches the object; its changes stay only if it returns `keep`. */
async function underLock(
  db: Db,
  digest: string,
  now: Date,
  work: (
    tx: Tx,
    row: { size: number; last_put_on: Date } | undefined,
  ) => Promise<{ keep: boolean; examined?: Examined }>,
): Promise<Examined | undefined> {
  const transaction = await db.startTransaction().execute();
  try {
    const store = objectStore(transaction);
    let row = await store.lockRow(digest);
    // Without a row there is nothing to lock: a row of ours keeps others away as well.
    if (!row && !(await store.addRow(digest, 0, now))) row = await store.lockRow(digest);
    const { keep, examined } = await work(transaction, row);
    await (keep ? transaction.commit() : transaction.rollback()).execute();
    return examined;
  } catch (error) {
    if (!transaction.isCommitted && !transaction.isRolledBack) await transaction.rollback().execute();
    throw error;
  }
}

async function examineLocked(
  { storage, clock, repairs, report }: ObjectContext,
  tx: Tx,
  digest: string,
  row: { size: number; last_put_on: Date } | undefined,
): Promise<{ keep: boolean; examined?: Examined }> {
  const store = objectStore(tx);
  const size = await storage.size(digest);
  const packages = await store.packagesNaming(digest);
  const served = await store.servedBy(digest);
  const isNamed = packages.length > 0 || served.length > 0;
  const reportHere = (finding: Omit<Finding, "repaired">) => report({ ...finding, repaired: repairs !== undefined });

  if (size === undefined) {
    if (isNamed) return { keep: false, examined: { bytes: "lost", packages, served, truth: undefined } };
    if (!row || clock().getTime() - row.last_put_on.getTime() < uploadGraceMs) return { keep: false };
    if (repairs) await store.removeRow(digest);
    reportHere({
      kind: "row-without-bytes",
      where: `object ${digest}`,
      what: "it has a row but no bytes, and no record references it",
      remedy: "the row is removed",
    });
    return { keep: repairs !== undefined };
  }

  const found = await bytesOf(storage, digest);
  if (!found) return { keep: false }; // impossible while we hold the lock, unless someone edits the storage by hand
  if (found.digests.sha256 !== digest) {
    if (!isNamed)
      reportHere({
        kind: "bytes-damaged",
        where: `object ${digest}`,
        what: "its bytes do not match its digest, and no record references it",
        remedy: "it is removed",
      });
    if (!isNamed && repairs) {
      await store.removeRow(digest);
      await storage.remove(digest);
    }
    return isNamed
      ? { keep: false, examined: { bytes: "damaged", packages, served, truth: undefined } }
      : { keep: repairs !== undefined };
  }
  if (!row)
    reportHere({
      kind: "bytes-without-row",
      where: `object ${digest}`,
      what: isNamed ? "records reference it, but it has no row" : "it has no row, and no record references it",
      remedy: isNamed ? "its row is added" : "its row is added, so that the sweep removes it after a while",
    });
  else if (row.size !== found.size)
    reportHere({
      kind: "record-wrong",
      where: `object ${digest}`,
      what: `its row has ${row.size} bytes instead of ${found.size}`,
      remedy: "the size is taken from the bytes",
    });
  await store.setSize(digest, found.size);
  // Sizes are compared with the row, which is right from here on, even if only in this transaction.
  const now = await store.servedBy(digest);
  const examined: Examined = { bytes: "there", packages, served: now, truth: found };
  return { keep: repairs !== undefined && row?.size !== found.size, examined };
}

const wrongIn = (it: NamingPackage, { digests, size }: Bytes): boolean =>
  it.asManual ? it.manual_size !== size : it.size !== size || !isDeepStrictEqual(it.digests, digests);

const placeOf = (it: NamingPackage): string => `${it.technology} package ${it.repository}/${it.name} ${it.version}`;

/** What is lost stays a finding until the package has bytes again or is purged, so that it is not overlooked. */
async function lostOf(
  digest: string,
  it: NamingPackage,
  bytes: "lost" | "damaged",
  repairs: Repairs | undefined,
): Promise<Finding> {
  const kind = bytes === "lost" ? "bytes-lost" : "bytes-damaged";
  const where = placeOf(it);
  if (it.asManual) {
    await repairs?.forgetManual(it, digest);
    const what = `the bytes of its manual ${digest} are ${bytes}`;
    return {
      kind,
      where,
      what,
      remedy: "it is built again if the server builds manuals",
      repaired: repairs !== undefined,
    };
  }
  await repairs?.withdrawPackage(it, digest, bytes);
  const listed = it.active && !it.deleted;
  const again = "restore it from a backup, upload it again as a replacement, or purge it";
  return {
    kind,
    where,
    what: `the bytes of its file ${digest} are ${bytes}`,
    remedy: !listed
      ? again
      : repairs
        ? `it was taken out of the index; ${again}`
        : `it is taken out of the index; then ${again}`,
    repaired: false,
  };
}
