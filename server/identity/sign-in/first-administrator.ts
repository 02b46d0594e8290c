import { rankOf } from "@packhouse/contract/roles";
import type { Actor } from "../../http/actor.ts";
import { actorById } from "./authenticate.ts";

/** In whose name the server does what its configuration asks for: the first active administrator, if there is one. */
export async function firstAdministrator(deps: Parameters<typeof actorById>[0]): Promise<Actor | undefined> {
  const rows = await deps.db
    .selectFrom("users")
    .select("id")
    .where("rank", "=", rankOf("admin"))
    .where("active", "=", true)
    .where("deleted", "=", false)
    .where((where) => where.or([where("expires_on", "is", null), where("expires_on", ">", deps.clock())]))
    .orderBy("id")
    .limit(1)
    .execute();
  const [row] = rows;
  return row && actorById(deps, row.id);
}
