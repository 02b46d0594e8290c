import type { Actor } from "../../http/actor.ts";
import { accounts } from "../accounts/account-store.ts";
import { actorById } from "./authenticate.ts";

/** The user on whose behalf the server applies its configuration: the first active administrator, if there is one. */
export async function firstAdministrator(deps: Parameters<typeof actorById>[0]): Promise<Actor | undefined> {
  const id = await accounts(deps.db).firstAdministrator(deps.clock());
  return id === undefined ? undefined : actorById(deps, id);
}
