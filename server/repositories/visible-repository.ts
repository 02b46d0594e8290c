import { may } from "@packhouse/contract/permissions";
import type { Technology } from "@packhouse/contract/technology";
import type { Deps } from "../deps.ts";
import { Refusal } from "../http/refusal.ts";
import type { Actor } from "../sign-in/actor.ts";
import { mayReadRepository } from "../sign-in/read-rights.ts";
import { type Repository, repositories } from "./store.ts";

/** A repository that the actor may know of: of this technology, if one is given. To all others it is not there. */
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
