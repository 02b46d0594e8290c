import { type Technology, technologyPath } from "@packhouse/contract/technology";
import type { Actor } from "../../http/actor.ts";
import { type Tx, violatesUnique } from "../../platform/db/database.ts";
import { invalid } from "../../platform/errors/refusal.ts";
import { recordEvent } from "../../platform/event-log/record-event.ts";
import type { Deps } from "../deps.ts";
import { refuseInDeclarativeMode } from "./declarative-mode.ts";
import { brokenRules, type RepositoryProperties } from "./repository.ts";
import { type Repository, repositories } from "./store.ts";

/** Creates a repository; whatever is not given has a default, only names and addresses must be. */
export async function createRepository(
  deps: Deps,
  actor: Pick<Actor, "id" | "name">,
  technology: Technology,
  given: Partial<RepositoryProperties>,
): Promise<Repository> {
  refuseInDeclarativeMode(deps.settings);
  const properties: RepositoryProperties = {
    name: given.name ?? "",
    publicationUri: given.publicationUri ?? "",
    serverAddress: given.serverAddress ?? "",
    requiresAuthentication: given.requiresAuthentication ?? true,
    published: given.published ?? false,
    redirectToSource: given.redirectToSource ?? false,
    hashMethod: given.hashMethod ?? "SHA256",
    reservedNames: given.reservedNames ?? [],
  };
  try {
    const id = await deps.db.transaction().execute((tx) => addRepository(deps, tx, actor, technology, properties));
    if (properties.published) await deps.publication.settled([id]);
    const row = await repositories(deps.db).byId(id);
    if (!row) throw new Error(`repository ${id} vanished while it was being created in ${technologyPath[technology]}`);
    return row;
  } catch (error) {
    // Two people took the name at once: the second is told what the first would have been told.
    if (violatesUnique(error))
      throw invalid(brokenRules(technology, properties, await repositories(deps.db).taken(technology, properties)));
    throw error;
  }
}

/** Adds a repository within a transaction of the caller's. */
export async function addRepository(
  deps: Deps,
  tx: Tx,
  actor: Pick<Actor, "id" | "name">,
  technology: Technology,
  properties: RepositoryProperties,
): Promise<number> {
  const codes = brokenRules(technology, properties, await repositories(tx).taken(technology, properties));
  if (codes.length > 0) throw invalid(codes);
  const now = deps.clock();
  const id = await repositories(tx).insert(technology, properties, now);
  await recordEvent(tx, {
    by: actor,
    at: now,
    type: "create",
    resource: "REPOSITORY",
    resourceId: id,
    place: { technology, repositoryId: id },
    description: `${actor.name} created the ${technology} repository ${properties.name}.`,
  });
  if (properties.published) await deps.publication.request(tx, id, "everything");
  return id;
}
