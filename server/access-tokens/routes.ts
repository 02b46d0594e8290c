import {
  accessTokenCreation,
  accessTokenList,
  accessToken as accessTokenShape,
} from "@packhouse/contract/access-tokens";
import { may, type PermissionName } from "@packhouse/contract/permissions";
import { z } from "zod";
import type { Deps } from "../deps.ts";
import { change, recordEvent } from "../events/record-event.ts";
import { noContent, ok } from "../http/answer.ts";
import type { App, Call } from "../http/application.ts";
import { patched, readPatch } from "../http/json-patch.ts";
import { invalid, malformedPatch, Refusal } from "../http/refusal.ts";
import { generateTokenValue, hashOfToken } from "../sign-in/access-token-value.ts";
import { standingTo } from "../sign-in/actor.ts";
import { brokenRules, readLifetime } from "./access-token.ts";
import { accessTokenBody, presentAccessToken } from "./present-access-token.ts";
import { type AccessToken, accessTokens } from "./store.ts";

const dayMs = 86_400_000;
const shape = z.strictObject(accessTokenShape.shape);

export function accessTokenRoutes(app: App, deps: Deps): void {
  const { settings, clock } = deps;
  const store = accessTokens(deps.db);
  const present = presentAccessToken(clock);

  const found = async ({ id, actor }: Call, permission: PermissionName): Promise<AccessToken> => {
    const row = await store.byId(id);
    if (!row) throw new Refusal("error.access.token.not.found");
    if (!may(permission, actor, standingTo(actor, { ownerId: row.user_id }))) throw new Refusal("user.not.authorized");
    return row;
  };

  app.list(
    "GET /access-tokens",
    accessTokenList,
    (query, actor) => store.find(query, may("seeDeleted", actor) ? undefined : actor.id, clock()),
    present,
  );
  app.route("GET /access-tokens/:id", async (call) => ok(present(await found(call, "readAccessToken"), call)));

  app.route("POST /access-tokens", async (call) => {
    // A stolen token must not be able to outlive itself.
    if (call.actor.byAccessToken) throw new Refusal("user.not.authorized");
    const given = accessTokenCreation.safeParse(call.body);
    if (!given.success) throw new Refusal("bad.request");
    const name = given.data.name ?? "";
    const chosen = settings["accessTokens.lifetimeConfigurable"] ? given.data.lifetime : undefined;
    const days =
      chosen === undefined || chosen === null ? settings["accessTokens.lifetimeDefault"] : readLifetime(chosen);
    const codes = brokenRules(name, days);
    if (codes.length > 0) throw invalid(codes);

    const value = generateTokenValue();
    const now = clock();
    const id = await deps.db.transaction().execute(async (tx) => {
      const id = await accessTokens(tx).insert({
        user_id: call.actor.id,
        name,
        value_hash: hashOfToken(value),
        created_on: now,
        expires_on: new Date(now.getTime() + days * dayMs),
      });
      await recordEvent(tx, {
        by: call.actor,
        at: now,
        type: "create",
        resource: "ACCESS_TOKEN",
        resourceId: id,
        description: `${call.actor.name} created the access token ${name}.`,
      });
      return id;
    });
    const row = await store.byId(id);
    if (!row) throw new Error(`access token ${id} vanished while it was being created`);
    return ok({ ...present(row, call), value });
  });

  app.route("PATCH /access-tokens/:id", async (call) => {
    const before = await found(call, "editAccessToken");
    const after = patched(shape, accessTokenBody(before, clock()), readPatch(call.body));
    if (after.deleted) throw new Refusal("error.validation", "access.tokens.cannot.be.soft.deleted");
    await deps.db.transaction().execute(async (tx) => {
      await tx.selectFrom("access_tokens").select("id").where("id", "=", before.id).forUpdate().execute();
      const now = await accessTokens(tx).byId(before.id);
      if (!now) throw new Refusal("error.access.token.not.found");
      if (!now.active) throw malformedPatch("deactivated.token.could.not.be.changed");
      const changed = [...change("active", now.active, after.active), ...change("name", now.name, after.name)];
      if (changed.length === 0) return;
      await accessTokens(tx).update(before.id, { name: after.name, active: after.active });
      await recordEvent(tx, {
        by: call.actor,
        at: clock(),
        type: "update",
        resource: "ACCESS_TOKEN",
        resourceId: before.id,
        changed,
        description: `${call.actor.name} ${after.active ? "renamed" : "deactivated"} the access token ${after.name}.`,
      });
    });
    return ok(present(await found(call, "readAccessToken"), call));
  });

  app.route("DELETE /access-tokens/:id", async (call) => {
    const row = await found(call, "deleteAccessToken");
    await deps.db.transaction().execute(async (tx) => {
      await tx
        .updateTable("events")
        .set({ purged: true })
        .where("resource_type", "=", "ACCESS_TOKEN")
        .where("resource_id", "=", row.id)
        .execute();
      await recordEvent(tx, {
        by: call.actor,
        at: clock(),
        type: "delete",
        resource: "ACCESS_TOKEN",
        resourceId: row.id,
        purged: true,
        description: `${call.actor.name} removed the access token ${row.name} for good.`,
      });
      await accessTokens(tx).remove(row.id);
    });
    return noContent;
  });
}
