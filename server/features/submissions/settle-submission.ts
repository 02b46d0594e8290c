import type { Verdict } from "@packhouse/contract/submissions";
import { sql } from "kysely";
import type { Actor } from "../../http/actor.ts";
import type { Tx } from "../../platform/db/database.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import { change, recordEvent } from "../../platform/event-log/record-event.ts";
import { settledOrRefused } from "../../publish/records/publication.ts";
import type { Deps } from "../deps.ts";
import { checkNewName } from "../packages/new-name.ts";
import { recordPurge } from "../packages/purge-package.ts";
import { type Package, packages } from "../packages/store.ts";
import { type Submission, submissions } from "./store.ts";
import { checkAuthority, checkWaiting } from "./submission.ts";

/** Accepts, rejects or cancels a waiting submission. Of two people who press at once, the second meets the first one's verdict. */
export async function settleSubmission(deps: Deps, actor: Actor, id: number, verdict: Verdict): Promise<Submission> {
  const published = await deps.db.transaction().execute(async (tx) => {
    const before = await submissions(tx).locked(id);
    if (!before) throw new Refusal("submission.notfound");
    checkAuthority(verdict, actor, before);
    checkWaiting(before);
    if (verdict === "ACCEPTED") await checkNewName(packages(tx), before.repository_id, before.normalized_name);

    await submissions(tx).settle(id, verdict, actor.id);
    const replaced = verdict === "ACCEPTED" ? await publish(deps, tx, actor, before) : undefined;
    if (verdict !== "ACCEPTED")
      await tx.updateTable("packages").set({ active: false, deleted: true }).where("id", "=", before.id).execute();
    await record(deps, tx, actor, before, verdict, replaced);
    return verdict === "ACCEPTED" && before.repository.published ? before.repository_id : undefined;
  });
  if (published !== undefined) await settledOrRefused(deps.publication, published, "error.apply.patch");
  const row = await submissions(deps.db).byId(id);
  if (!row) throw new Refusal("submission.notfound");
  return row;
}

/** The package becomes active; one that it replaces goes in the same moment, and is returned. */
async function publish(deps: Deps, tx: Tx, actor: Actor, before: Submission): Promise<Package | undefined> {
  const replaced = before.replaces_id === null ? undefined : await packages(tx).byId(before.replaces_id);
  if (replaced) {
    await recordPurge(tx, deps, actor, replaced, "PACKAGE");
    await packages(tx).purge(replaced.id);
  }
  await tx.updateTable("packages").set({ active: true, replaces_id: null }).where("id", "=", before.id).execute();
  await tx
    .updateTable("repositories")
    .set({ version: sql`version + 1` })
    .where("id", "=", before.repository_id)
    .execute();
  if (before.manual_wanted) await deps.manuals.request(tx, before.id);
  if (before.repository.published) await deps.publication.request(tx, before.repository_id, [before.normalized_name]);
  return replaced;
}

const verbs: Record<Verdict, string> = { ACCEPTED: "accepted", REJECTED: "rejected", CANCELLED: "cancelled" };

async function record(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  before: Submission,
  verdict: Verdict,
  replaced: Package | undefined,
): Promise<void> {
  await recordEvent(tx, {
    by: actor,
    at: deps.clock(),
    type: "update",
    resource: "SUBMISSION",
    resourceId: before.submission_id,
    place: {
      technology: before.technology,
      repositoryId: before.repository_id,
      packageId: before.id,
      normalizedName: before.normalized_name,
    },
    changed: [
      ...change("approver", null, actor.id),
      ...(replaced ? change("digest", replaced.digest, before.digest) : []),
      ...change("state", "waiting", verdict.toLowerCase()),
    ],
    description: `${actor.name} ${verbs[verdict]} ${before.name} ${before.version} for ${before.repository.name}.`,
  });
}
