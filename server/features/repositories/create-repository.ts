import { type Technology, technologyPath } from "@packhouse/contract/technology";
import type { Actor } from "../../http/actor.ts";
import { violatesUnique } from "../../platform/db/database.ts";
import { invalid } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { changeRepositories, type RepositoryUnits } from "../unit-of-work/change-repository.ts";
import { refuseInDeclarativeMode } from "./declarative-mode.ts";
import { brokenRules, type RepositoryProperties } from "./repository.ts";
import { type Repository, repositories } from "./store.ts";

/** The server address of a request without one; no usable address, unlike an empty one, and refused as such. */
const noServer = "127.0.0.1";

/** What a request gives; null is a value that is missing on purpose. */
type GivenProperties = { [Name in keyof RepositoryProperties]?: RepositoryProperties[Name] | null | undefined };

/** Creates a repository; names and addresses are required, everything else has a default. */
export async function createRepository(
  deps: Deps,
  actor: Pick<Actor, "id" | "name">,
  technology: Technology,
  given: GivenProperties,
): Promise<Repository> {
  refuseInDeclarativeMode(deps.settings);
  const properties: RepositoryProperties = {
    name: given.name ?? "",
    publicationUri: given.publicationUri ?? "",
    serverAddress: given.serverAddress === undefined ? noServer : (given.serverAddress ?? ""),
    requiresAuthentication: given.requiresAuthentication ?? true,
    published: given.published ?? false,
    redirectToSource: given.redirectToSource ?? false,
    hashMethod: given.hashMethod ?? "SHA256",
    reservedNames: given.reservedNames ?? [],
    requiredChecks: given.requiredChecks ?? [],
  };
  try {
    const id = await changeRepositories(
      deps,
      (units) => addRepository(deps, units, actor, { technology, properties }),
      {
        whenNotCopied: (id) => id,
      },
    );
    const row = await repositories(deps.db).byId(id);
    if (!row) throw new Error(`repository ${id} vanished while it was being created in ${technologyPath[technology]}`);
    return row;
  } catch (error) {
    // Two users chose the same name at the same time: the second one gets the usual answer.
    if (violatesUnique(error))
      throw invalid(brokenRules(technology, properties, await repositories(deps.db).taken(technology, properties)));
    throw error;
  }
}

/** Adds a repository within the caller's transaction. */
export async function addRepository(
  { clock }: Pick<Deps, "clock">,
  { tx, added }: RepositoryUnits,
  actor: Pick<Actor, "id" | "name">,
  { technology, properties }: { technology: Technology; properties: RepositoryProperties },
): Promise<number> {
  const codes = brokenRules(technology, properties, await repositories(tx).taken(technology, properties));
  if (codes.length > 0) throw invalid(codes);
  const unit = added(await repositories(tx).insert(technology, properties, clock()));
  const { id } = unit.repository;
  unit.record({
    by: actor,
    type: "create",
    resource: "REPOSITORY",
    resourceId: id,
    description: `${actor.name} created the ${technology} repository ${properties.name}.`,
  });
  if (properties.published) unit.publish("everything");
  return id;
}
