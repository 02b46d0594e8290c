import { randomUUID } from "node:crypto";
import type { ChangedProperty } from "@packhouse/contract/events";
import { may } from "@packhouse/contract/permissions";
import { hashMethod, repository as repositoryShape } from "@packhouse/contract/repositories";
import type { Technology } from "@packhouse/contract/technology";
import { z } from "zod";
import { type Actor, standingTo } from "../../http/actor.ts";
import { type PatchOperation, patched } from "../../http/json-patch.ts";
import { restores } from "../../http/restores.ts";
import { hasReadRight } from "../../identity/read-rights.ts";
import { type Tx, violatesUnique } from "../../platform/db/database.ts";
import type { RepositoryRow } from "../../platform/db/schema.ts";
import { invalid, Refusal } from "../../platform/errors/refusal.ts";
import { change, recordEvent } from "../../platform/event-log/record-event.ts";
import { settledOrRefused } from "../../publish/records/publication.ts";
import { takeDownPublishedFiles } from "../../publish/records/take-down.ts";
import type { Deps } from "../deps.ts";
import { rechooseResponsible } from "../maintainers/responsible-user.ts";
import { refuseInDeclarativeMode } from "./declarative-mode.ts";
import { repositoryBody, technologyFields } from "./present-repository.ts";
import { brokenRules, type RepositoryProperties } from "./repository.ts";
import { type Repository, repositories } from "./store.ts";

const shapes = {
  R: z.strictObject({ ...repositoryShape.shape, redirectToSource: z.boolean() }),
  Python: z.strictObject({ ...repositoryShape.shape, hashMethod }),
} as const;

/** What a patch makes of a repository. */
interface Edited extends RepositoryProperties {
  version: number;
  deleted: boolean;
}

/**
 * Patches a repository: its properties, publication, soft deletion, or (administrators) its restoration.
 * Any accepted patch raises the version and publishes again what is published.
 */
export async function editRepository(
  deps: Deps,
  actor: Actor,
  technology: Technology,
  id: number,
  operations: readonly PatchOperation[],
): Promise<Repository> {
  let asked: RepositoryProperties | undefined;
  let publishes = false;
  try {
    await deps.db.transaction().execute(async (tx) => {
      const before = await lockVisible(tx, actor, technology, id);
      if (!may("editRepository", actor, standingTo(actor, { repositoryId: id })))
        throw new Refusal("user.not.authorized");
      refuseInDeclarativeMode(deps.settings);
      const after = await editedBy(deps, technology, before, operations);
      if (before.deleted) {
        if (!restores(operations)) throw new Refusal("editing.deleted.resource.not.possible");
        return restoreRepository(deps, tx, actor, before);
      }
      asked = after;
      publishes = after.published || before.published;
      if (after.deleted) {
        if (!deps.settings["deleting.repositories"]) throw new Refusal("deleting.repositories.disabled");
        return softDeleteRepository(deps, tx, actor, before);
      }
      // A reservation protects a repository from its own mirrors, so it is the administrators' to lift.
      if (reservationChange(before, after).length > 0 && !may("reserveNames", actor))
        throw new Refusal("user.not.authorized");
      const taken = await repositories(tx).taken(technology, after, id);
      // Read rights go by the name: under another one the repository would be open to everybody.
      const escapes = after.name !== before.name && hasReadRight(deps.settings, before.name);
      const codes = brokenRules(technology, after, taken, {
        before: propertiesOf(before),
        forbiddenChange: escapes || after.version !== before.version,
      });
      if (codes.length > 0) throw invalid(codes);
      await changeRepository(deps, tx, actor, before, after, changesOf(before, after));
    });
  } catch (error) {
    if (asked && violatesUnique(error))
      throw invalid(
        brokenRules(technology, asked, await repositories(deps.db).taken(technology, asked, id), { before: asked }),
      );
    throw error;
  }
  if (publishes) await settledOrRefused(deps.publication, id, "error.apply.patch");
  return repositoryById(deps, id);
}

async function lockVisible(tx: Tx, actor: Actor, technology: Technology, id: number): Promise<Repository> {
  await repositories(tx).lock(id);
  const row = await repositories(tx).byId(id);
  if (!row || row.technology !== technology || (row.deleted && !may("seeDeleted", actor)))
    throw new Refusal("repository.notfound");
  return row;
}

async function editedBy(
  { settings, workers }: Deps,
  technology: Technology,
  before: Repository,
  operations: readonly PatchOperation[],
): Promise<Edited> {
  const item = { ...repositoryBody(before, settings), ...technologyFields[technology](before) };
  // A deleted record answers 405 to whatever the patch says, unless it is the one that restores it.
  const after =
    before.deleted && !restores(operations) ? item : await patched(workers, shapes[technology], item, operations);
  return {
    ...after,
    redirectToSource: "redirectToSource" in after ? after.redirectToSource : before.redirect_to_source,
    hashMethod: "hashMethod" in after ? after.hashMethod : before.hash_method,
  };
}

type Editor = Pick<Actor, "id" | "name">;

/** Writes changed properties, with their event, and publishes again what is or was public. */
async function changeRepository(
  deps: Deps,
  tx: Tx,
  actor: Editor,
  before: RepositoryRow,
  after: RepositoryProperties,
  changed: ChangedProperty[],
): Promise<void> {
  await repositories(tx).update(before.id, after, deps.clock());
  await record(tx, deps, actor, before, changed);
  if (after.published || before.published) await deps.publication.request(tx, before.id, "everything");
}

/** Makes a repository what its declaration says; one that is so already stays untouched. */
export async function declareRepository(
  deps: Deps,
  tx: Tx,
  actor: Editor,
  before: RepositoryRow,
  declared: RepositoryProperties,
): Promise<void> {
  const changed = changesOf(before, declared);
  if (changed.length === 0) return;
  const { technology, id } = before;
  const codes = brokenRules(technology, declared, await repositories(tx).taken(technology, declared, id), {
    before: propertiesOf(before),
  });
  if (codes.length > 0) throw invalid(codes);
  await changeRepository(deps, tx, actor, before, declared, changed);
}

/** Undoes a deletion: the repository stays unpublished, its packages inactive. */
export async function restoreRepository(deps: Deps, tx: Tx, actor: Editor, before: RepositoryRow): Promise<void> {
  await repositories(tx).restore(before, deps.clock());
  await rechooseResponsible(tx, before.id);
  await record(tx, deps, actor, before, change("deleted", true, false));
}

/** Takes a repository offline and marks it as deleted, with all that hangs on it. */
export async function softDeleteRepository(deps: Deps, tx: Tx, actor: Editor, before: RepositoryRow): Promise<void> {
  await repositories(tx).softDelete(before.id, randomUUID(), deps.clock());
  await takeDownPublishedFiles(tx, before.id);
  await record(tx, deps, actor, before, [
    ...change("deleted", false, true),
    ...change("published", before.published, false),
  ]);
  if (before.published) await deps.publication.request(tx, before.id, "everything");
}

const propertiesOf = (row: RepositoryRow) => ({
  name: row.name,
  publicationUri: row.publication_uri,
  serverAddress: row.server_address,
});

const changesOf = (before: RepositoryRow, after: RepositoryProperties): ChangedProperty[] => [
  ...change("name", before.name, after.name),
  ...change("publicationUri", before.publication_uri, after.publicationUri),
  ...change("serverAddress", before.server_address, after.serverAddress),
  ...change("requiresAuthentication", before.requires_authentication, after.requiresAuthentication),
  ...change("published", before.published, after.published),
  ...change("redirectToSource", before.redirect_to_source, after.redirectToSource),
  ...change("hashMethod", before.hash_method, after.hashMethod),
  ...reservationChange(before, after),
];

const reservationChange = (before: RepositoryRow, { reservedNames = before.reserved_names }: RepositoryProperties) =>
  change("reservedNames", before.reserved_names.join(", "), reservedNames.join(", "));

/** An update that changed nothing writes no event. */
async function record(
  tx: Tx,
  deps: Deps,
  actor: Editor,
  before: RepositoryRow,
  changed: ChangedProperty[],
): Promise<void> {
  if (changed.length === 0) return;
  await recordEvent(tx, {
    by: actor,
    at: deps.clock(),
    type: "update",
    resource: "REPOSITORY",
    resourceId: before.id,
    place: { technology: before.technology, repositoryId: before.id },
    changed,
    description: describe(actor.name, before.name, changed),
  });
}

function describe(who: string, name: string, changed: readonly ChangedProperty[]): string {
  const to = (property: string) => changed.find((entry) => entry.property === property)?.valueAfter;
  if (to("deleted") === "true") return `${who} deleted the repository ${name}.`;
  if (to("deleted") === "false") return `${who} restored the repository ${name}.`;
  if (to("published") === "true") return `${who} published the repository ${name}.`;
  if (to("published") === "false") return `${who} unpublished the repository ${name}.`;
  return `${who} changed the repository ${name}.`;
}

export async function repositoryById(deps: Deps, id: number): Promise<Repository> {
  const row = await repositories(deps.db).byId(id);
  if (!row) throw new Refusal("repository.notfound");
  return row;
}
