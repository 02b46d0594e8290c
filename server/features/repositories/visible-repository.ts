import { may } from "@packhouse/contract/permissions";
import type { Technology } from "@packhouse/contract/technology";
import type { Actor } from "../../http/actor.ts";
import { mayReadRepository } from "../../identity/read-rights.ts";
import type { RepositoryRow } from "../../platform/db/schema.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { type Repository, repositories } from "./store.ts";

export type { Repository };

/** A repository that the actor may see: of this technology, if one is given. For others it does not exist. */
export async function visibleRepository(
  { db }: Pick<Deps, "db">,
  actor: Actor,
  id: number,
  technology?: Technology,
): Promise<Repository> {
  const row = await repositories(db).byId(id);
  const hidden = !row || (row.deleted && !may("seeDeleted", actor)) || !mayReadRepository(actor, row);
  if (hidden || (technology && row.technology !== technology)) throw new Refusal("repository.notfound");
  return row;
}

/** A repository by its name, as uploads address it. */
export async function readableRepository(
  { db }: Pick<Deps, "db">,
  actor: Actor,
  technology: Technology,
  name: string,
): Promise<RepositoryRow> {
  const row = await repositories(db).liveNamed(technology, name);
  if (!row || !mayReadRepository(actor, row)) throw new Refusal("repository.notfound");
  return row;
}
