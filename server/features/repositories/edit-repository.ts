import { randomUUID } from "node:crypto";
import type { ChangedProperty } from "@packhouse/contract/events";
import { may } from "@packhouse/contract/permissions";
import { hashMethod, repository as repositoryShape } from "@packhouse/contract/repositories";
import type { Technology } from "@packhouse/contract/technology";
import { z } from "zod";
import { type Actor, relationTo } from "../../http/actor.ts";
import { type PatchOperation, patched } from "../../http/patch/json-patch.ts";
import { restores } from "../../http/patch/restores.ts";
import { hasReadRight } from "../../identity/read-rights.ts";
import { type Tx, violatesUnique } from "../../platform/db/database.ts";
import type { RepositoryRow } from "../../platform/db/schema.ts";
import { isRowId } from "../../platform/db/statements/row-id.ts";
import { invalid, Refusal } from "../../platform/errors/refusal.ts";
import { change } from "../../platform/event-log/record-event.ts";
import { takeDownPublishedFiles } from "../../publish/records/take-down.ts";
import type { Deps } from "../deps.ts";
import { rechooseResponsible } from "../maintainers/responsible-user-store.ts";
import { changeRepository } from "../unit-of-work/change-repository.ts";
import type { RepositoryUnit } from "../unit-of-work/repository-unit.ts";
import { refuseInDeclarativeMode } from "./declarative-mode.ts";
import { repositoryBody, technologyFields } from "./present-repository.ts";
import { brokenRules, type RepositoryProperties } from "./repository.ts";
import { columnsOf, type Repository, repositories } from "./store.ts";

const shapes = {
  R: z.strictObject({ ...repositoryShape.shape, redirectToSource: z.boolean() }),
  Python: z.strictObject({ ...repositoryShape.shape, hashMethod }),
} as const;

/** The repository as patched. */
interface Edited extends RepositoryProperties {
  id: number;
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
  { technology, id }: { technology: Technology; id: number },
  operations: readonly PatchOperation[],
): Promise<Repository> {
  let asked: RepositoryProperties | undefined;
  try {
    await changeRepository(deps, id, async (unit) => {
      const { tx } = unit;
      const before = await repositories(tx).byId(id);
      if (!before || before.technology !== technology || (before.deleted && !may("seeDeleted", actor)))
        throw new Refusal("repository.notfound");
      if (!may("editRepository", actor, relationTo(actor, { repositoryId: id })))
        throw new Refusal("user.not.authorized");
      refuseInDeclarativeMode(deps.settings);
      const after = await editedBy(deps, technology, before, operations);
      if (before.deleted) {
        if (!restores(operations)) throw new Refusal("editing.deleted.resource.not.possible");
        return restoreRepository(unit, actor);
      }
      asked = after;
      if (after.deleted) {
        if (!deps.settings["deleting.repositories"]) throw new Refusal("deleting.repositories.disabled");
        return softDeleteRepository(unit, actor);
      }
      // A reservation protects a repository from its own mirrors, so only administrators may lift it.
      if (reservationChange(before, after).length > 0 && !may("reserveNames", actor))
        throw new Refusal("user.not.authorized");
      const taken = await repositories(tx).taken(technology, after, id);
      // Read rights refer to the name: under another one the repository would be open to everyone.
      const escapes = after.name !== before.name && hasReadRight(deps.settings, before.name);
      const codes = brokenRules(technology, after, taken, {
        before: propertiesOf(before),
        fixed:
          (await changeOfId(tx, before, after)) ??
          (escapes || after.version !== before.version ? "forbidden.update" : undefined),
      });
      if (codes.length > 0) throw invalid(codes);
      await writeProperties(unit, actor, after, changesOf(before, after));
    });
  } catch (error) {
    if (asked && violatesUnique(error))
      throw invalid(
        brokenRules(technology, asked, await repositories(deps.db).taken(technology, asked, id), { before: asked }),
      );
    throw error;
  }
  return repositoryById(deps, id);
}

async function changeOfId(tx: Tx, before: Repository, { id }: Edited) {
  if (id === before.id) return undefined;
  return isRowId(id) && (await repositories(tx).byId(id)) ? "forbidden.update" : "repository.not.found";
}

async function editedBy(
  { settings, workers }: Deps,
  technology: Technology,
  before: Repository,
  operations: readonly PatchOperation[],
): Promise<Edited> {
  const item = { ...repositoryBody(before, settings), ...technologyFields[technology](before) };
  // A deleted record answers any patch with 405, unless it is the one that restores it.
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
async function writeProperties(
  unit: RepositoryUnit,
  actor: Editor,
  after: RepositoryProperties,
  changed: ChangedProperty[],
): Promise<void> {
  // Every accepted patch raises the version, even one that changes nothing.
  await unit.edit({ ...columnsOf(after), last_modified_on: unit.at });
  record(unit, actor, changed);
  if (after.published || unit.repository.published) unit.publish("everything");
}

/** Applies the properties of a declaration to a repository; without differences it stays unchanged. */
export async function declareRepository(
  unit: RepositoryUnit,
  actor: Editor,
  declared: RepositoryProperties,
): Promise<void> {
  const { tx, repository: before } = unit;
  const changed = changesOf(before, declared);
  if (changed.length === 0) return;
  const { technology, id } = before;
  const codes = brokenRules(technology, declared, await repositories(tx).taken(technology, declared, id), {
    before: propertiesOf(before),
  });
  if (codes.length > 0) throw invalid(codes);
  await writeProperties(unit, actor, declared, changed);
}

/** Undoes a deletion: the repository stays unpublished, its packages inactive. */
export async function restoreRepository(unit: RepositoryUnit, actor: Editor): Promise<void> {
  const { tx, repository, at } = unit;
  await unit.edit({ deleted: false, deletion_id: null, published: false, last_modified_on: at });
  if (repository.deletion_id !== null) await repositories(tx).restoreContent(repository.deletion_id);
  await rechooseResponsible(tx, repository.id);
  record(unit, actor, change("deleted", true, false));
}

/** Unpublishes a repository and soft-deletes it with everything in it, under one deletion id. */
export async function softDeleteRepository(unit: RepositoryUnit, actor: Editor): Promise<void> {
  const { tx, repository, at } = unit;
  const deletion = { deleted: true as const, deletion_id: randomUUID() };
  await unit.edit({ ...deletion, published: false, last_modified_on: at });
  await repositories(tx).softDeleteContent(repository.id, deletion);
  await takeDownPublishedFiles(tx, repository.id);
  record(unit, actor, [...change("deleted", false, true), ...change("published", repository.published, false)]);
  if (repository.published) unit.publish("everything");
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
  ...requirementChange(before, after),
];

const requirementChange = (before: RepositoryRow, { requiredChecks = before.required_checks }: RepositoryProperties) =>
  change("requiredChecks", before.required_checks.join(", "), requiredChecks.join(", "));

const reservationChange = (before: RepositoryRow, { reservedNames = before.reserved_names }: RepositoryProperties) =>
  change("reservedNames", before.reserved_names.join(", "), reservedNames.join(", "));

/** An update that changed nothing writes no event. */
function record(unit: RepositoryUnit, actor: Editor, changed: ChangedProperty[]): void {
  if (changed.length === 0) return;
  unit.record({
    by: actor,
    type: "update",
    resource: "REPOSITORY",
    resourceId: unit.repository.id,
    changed,
    description: describe(actor.name, unit.repository.name, changed),
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
