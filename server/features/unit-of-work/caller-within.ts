import type { Actor } from "../../http/actor.ts";
import { actorNow } from "../../identity/sign-in/authenticate.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Deps } from "../deps.ts";
import type { RepositoryUnit } from "./repository-unit.ts";

const known = new WeakMap<Tx, Map<string, Promise<Actor>>>();

/**
 * The caller of a change with the rights that hold once its repository is locked, for which it may have waited. Changes
 * that share a transaction read each caller once.
 */
export function callerWithin(
  deps: Pick<Deps, "clock" | "settings">,
  { tx }: RepositoryUnit,
  caller: Actor,
): Promise<Actor> {
  const { id, sessionId, accessTokenId } = caller;
  const credentials = JSON.stringify([id, sessionId, accessTokenId]);
  const ofTransaction = known.get(tx) ?? new Map<string, Promise<Actor>>();
  known.set(tx, ofTransaction);
  const read = ofTransaction.get(credentials) ?? actorNow({ ...deps, db: tx }, caller);
  ofTransaction.set(credentials, read);
  return read;
}
