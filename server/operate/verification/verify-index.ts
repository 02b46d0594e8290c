import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Technology } from "@packhouse/contract/technology";
import type { Db } from "../../platform/db/database.ts";
import { isPublic } from "../../publish/records/copy.ts";
import { type IndexLayout, partKey, type RenderedPart, rootKey } from "../../publish/records/index-layout.ts";
import { batches, byCodePoint, changedKeys, layouts } from "../../publish/render/render-repository.ts";
import { type RenderedRow, renderStore } from "../../publish/render/render-store.ts";
import type { Report } from "./finding.ts";
import { indexStore } from "./index-store.ts";
import type { Repairs } from "./repairs.ts";

interface RepositoryRef {
  repository_id: number;
  repository: string;
  technology: Technology;
}

interface IndexContext {
  db: Db;
  repairs: Repairs | undefined;
  report: Report;
}

/** Compares the index of every repository with a fresh render, and its blocks with their digests. */
export async function verifyIndexes(context: IndexContext, renderTimeoutMs: number): Promise<number> {
  const { db, repairs, report } = context;
  const missing = new Set(await indexStore(db).missingBlocks());
  const damaged = new Set(await indexStore(db).damagedBlocks());
  const found = new Set([...missing, ...damaged]);
  const bad = new Set(found);
  const repositories = await indexStore(db).repositories();
  for (const it of repositories) {
    const wrong = await verifyIndex(context, it, bad);
    if (wrong) await repairs?.remake(it);
    else if (await isForgotten(db, it, renderTimeoutMs)) {
      repairs?.catchUp(it.repository_id);
      report({
        kind: "index-behind",
        where: `${it.technology} repository ${it.repository}`,
        what: "the index is behind the packages",
        remedy: "it is rendered again",
        repaired: repairs !== undefined,
      });
    }
  }
  for (const digest of found)
    report({
      kind: missing.has(digest) ? "block-lost" : "block-damaged",
      where: `block ${digest}`,
      what: missing.has(digest)
        ? "an index references it, but it is missing"
        : "its bytes do not match its digest; running servers may have read them, so restart them",
      remedy: bad.has(digest)
        ? repairs
          ? "only an earlier state of an index has it, which cannot be rendered again"
          : "it is rendered again if a current index has it"
        : "it is rendered again",
      repaired: repairs !== undefined && !bad.has(digest),
    });
  return repositories.length;
}

/**
 * Compares, in one snapshot of the database, what is served with the packages that a render would read. What waits for
 * its render is skipped, so concurrent uploads are not findings. Blocks that a render restores are removed from `bad`
 * when they are back. Returns whether the index has to be rendered again.
 */
async function verifyIndex(
  { db, repairs, report }: IndexContext,
  it: RepositoryRef,
  bad: Set<string>,
): Promise<boolean> {
  let wrong = false;
  const reportWrong = (what: string) => {
    wrong = true;
    report({
      kind: "index-wrong",
      where: `${it.technology} repository ${it.repository}`,
      what,
      remedy: "the index is rendered again",
      repaired: repairs !== undefined,
    });
  };
  await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (snapshot) => {
      const store = renderStore(snapshot);
      const repository = await store.waiting(it.repository_id);
      if (!repository) return;
      const { changed, serial, rendered_serial: rendered } = repository;
      if (serial !== rendered && changed === "everything") return;
      const waiting = serial !== rendered && changed !== "everything" ? changed : [];
      if (!isPublic(repository)) {
        if (serial === rendered && (await store.currentKeys(it.repository_id)).length > 0)
          reportWrong("it is not published, but has an index");
        return;
      }
      const layout = layouts[repository.technology];
      const left = new Set(waiting.map((name) => partKey(layout, name)));
      const { keys, weights } = await changedKeys(store, { id: it.repository_id, changed: "everything" }, layout);
      const looked = keys.filter((key) => !left.has(key));
      const present = new Set(left);
      for (const some of batches(looked, weights)) {
        const fresh = await freshParts(snapshot, repository, layout, some);
        for (const key of fresh.keys()) present.add(key);
        for (const { blocks } of fresh.values()) {
          for (const block of blocks) {
            if (!repairs || !bad.has(block.digest)) continue;
            await repairs.putBlock(block);
            bad.delete(block.digest);
          }
        }
        for await (const what of wrongInParts(snapshot, it.repository_id, some, fresh)) reportWrong(what);
      }
      if (left.size > 0) return;
      const root = await layout.renderRoot(async () => [...present].sort(byCodePoint));
      const known = await store.currentContents(it.repository_id, [rootKey]);
      if (!isDeepStrictEqual(known.get(rootKey), root.content))
        reportWrong("its list of parts differs from a newly rendered one");
      for (const block of root.blocks) {
        if (!repairs || !bad.has(block.digest)) continue;
        await repairs.putBlock(block);
        bad.delete(block.digest);
      }
      for (const path of await indexStore(snapshot).strayFiles(it.repository_id))
        reportWrong(`${path} is served, but no part of the index has it`);
    });
  return wrong;
}

async function freshParts(
  snapshot: Db,
  repository: RenderedRow,
  layout: IndexLayout,
  keys: readonly string[],
): Promise<Map<string, RenderedPart>> {
  const as = { hashMethod: repository.hash_method, redirectToSource: repository.redirect_to_source };
  const fresh = new Map<string, RenderedPart>();
  for (const [key, packages] of await renderStore(snapshot).packagesOf(repository.id, { layout, as }, keys))
    fresh.set(key, await layout.renderPart(as, packages));
  return fresh;
}

async function* wrongInParts(
  snapshot: Db,
  repositoryId: number,
  keys: readonly string[],
  fresh: ReadonlyMap<string, RenderedPart>,
): AsyncGenerator<string> {
  const known = await renderStore(snapshot).currentContents(repositoryId, keys);
  for (const key of keys) {
    if (known.has(key) && !fresh.has(key)) yield `its part ${key} has no packages`;
    else if (!known.has(key)) yield `its part ${key} is missing`;
    else if (!isDeepStrictEqual(known.get(key), fresh.get(key)?.content))
      yield `its part ${key} differs from a newly rendered one`;
  }
  const served = await indexStore(snapshot).filesOf(repositoryId, keys);
  for (const { files } of fresh.values()) {
    for (const { path, digest, metadataDigest } of files) {
      if (!isDeepStrictEqual(served.get(path), { digest, metadataDigest }))
        yield `${path} belongs to an active package, but is not served unchanged`;
      served.delete(path);
    }
  }
  for (const path of served.keys()) yield `${path} is served, but no active package has it`;
}

/** Whether the index of a repository has been waiting too long for its render: no server renders it, or it fails. */
async function isForgotten(db: Db, it: RepositoryRef, renderTimeoutMs: number): Promise<boolean> {
  const store = renderStore(db);
  const wanted = (await store.serials(it.repository_id))?.serial ?? 0;
  const deadline = performance.now() + renderTimeoutMs;
  for (;;) {
    const now = await store.serials(it.repository_id);
    if (!now || now.rendered_serial >= wanted) return false;
    if (performance.now() > deadline) return true;
    await sleep(250);
  }
}
