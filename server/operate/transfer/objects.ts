import { createHash } from "node:crypto";
import { ObjectMissing, type ObjectStorage, type StoredObject, stage } from "../../platform/storage/storage.ts";
import { type Content, Damaged } from "./content.ts";

/** Objects that are read or copied at the same time. */
const atOnce = 8;

/** Whether a storage holds an object undamaged; reads its bytes. */
export async function isSound(storage: ObjectStorage, { digest, size }: StoredObject): Promise<boolean> {
  if ((await storage.size(digest)) !== size) return false;
  const hash = createHash("sha256");
  for await (const chunk of await storage.read(digest)) hash.update(chunk);
  return hash.digest("hex") === digest;
}

/** Copies an object and verifies it by reading it again. Skips an existing one; returns whether it copied. */
export async function copyObject(
  content: Pick<Content, "readObject">,
  storage: ObjectStorage,
  object: StoredObject,
): Promise<boolean> {
  if (await isSound(storage, object)) return false;
  await storage.remove(object.digest);
  const bytes = await content.readObject(object.digest).catch((error: unknown) => {
    if (!(error instanceof ObjectMissing)) throw error;
    throw new Damaged(
      `The object ${object.digest} is missing, but records reference it. Run \`packhouse verify\` for details.`,
    );
  });
  const staged = await stage(storage, bytes, object.size);
  try {
    if (staged.digests.sha256 !== object.digest) throw new Damaged(`The object ${object.digest} is damaged.`);
    await staged.keep();
  } finally {
    await staged.discard();
  }
  if (!(await isSound(storage, object)))
    throw new Damaged(`The object ${object.digest} cannot be read back from its copy.`);
  return true;
}

/** Several at a time. After a failure no more are started, and those running have ended when it is thrown. */
export async function forEachObject(
  objects: AsyncIterable<StoredObject> | Iterable<StoredObject>,
  work: (object: StoredObject) => Promise<void>,
): Promise<void> {
  const queue = (async function* () {
    yield* objects;
  })();
  let failed = false;
  const worker = async () => {
    try {
      for (let next = await queue.next(); !next.done && !failed; next = await queue.next()) await work(next.value);
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  await queue.return();
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}

/** A list of objects in the form of COPY. */
export async function* objectLines(objects: AsyncIterable<StoredObject>): AsyncIterable<Uint8Array> {
  for await (const { digest, size } of objects) yield Buffer.from(`${digest}\t${size}\n`);
}

/** The objects of such a list. */
export async function* objectsOf(lines: AsyncIterable<Uint8Array>): AsyncIterable<StoredObject> {
  let rest = "";
  for await (const chunk of lines) {
    const complete = (rest + Buffer.from(chunk).toString("latin1")).split("\n");
    rest = complete.pop() ?? "";
    for (const line of complete) {
      const [digest = "", size] = line.split("\t");
      yield { digest, size: Number(size) };
    }
  }
}
