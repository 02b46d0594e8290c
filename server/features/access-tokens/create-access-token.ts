import type { Actor } from "../../http/actor.ts";
import { generateTokenValue, hashOfToken } from "../../identity/tokens/access-token-value.ts";
import { invalid } from "../../platform/errors/refusal.ts";
import { recordEvent } from "../../platform/event-log/record-event.ts";
import { checkNumberOfTokens } from "../../platform/limits/access-token-quota.ts";
import type { Deps } from "../deps.ts";
import { brokenRules, dayMs, readLifetime } from "./access-token.ts";
import { type AccessToken, accessTokens } from "./store.ts";

export interface NewAccessToken {
  name: string;
  /** Days; if left out, or where the settings leave no choice, the default applies. */
  lifetime?: string | number | null | undefined;
}

/** Creates a token for the caller. Only now is its value known: only its hash is kept. */
export async function createAccessToken(
  { db, settings, clock, watch }: Deps,
  actor: Actor,
  { name, lifetime }: NewAccessToken,
): Promise<{ token: AccessToken; value: string }> {
  const chosen = settings["accessTokens.lifetimeConfigurable"] ? lifetime : undefined;
  const mostDays = settings["accessTokens.lifetimeMaximum"];
  const days =
    chosen === undefined || chosen === null
      ? Math.min(settings["accessTokens.lifetimeDefault"], mostDays)
      : readLifetime(chosen);
  const codes = brokenRules(name, days, mostDays);
  if (codes.length > 0) throw invalid(codes);

  const value = generateTokenValue();
  const now = clock();
  const token = await db.transaction().execute(async (tx) => {
    const store = accessTokens(tx);
    await checkNumberOfTokens({ settings, watch }, tx, { userId: actor.id, now });
    const id = await store.insert({
      user_id: actor.id,
      name,
      value_hash: hashOfToken(value),
      created_on: now,
      expires_on: new Date(now.getTime() + days * dayMs),
    });
    await recordEvent(tx, {
      by: actor,
      at: now,
      type: "create",
      resource: "ACCESS_TOKEN",
      resourceId: id,
      description: `${actor.name} created the access token ${name}.`,
    });
    return store.byId(id);
  });
  if (!token) throw new Error("an access token vanished while it was being created");
  return { token, value };
}
