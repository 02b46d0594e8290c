import type { ViolationCode } from "@packhouse/contract/messages";
import { may } from "@packhouse/contract/permissions";
import { userRef } from "@packhouse/contract/references";
import { largestStoredPageSize, type UserSettingsItem } from "@packhouse/contract/user-settings";
import { type SettingsRef, settingsRef, theme } from "@packhouse/contract/users";
import { z } from "zod";
import type { Deps } from "../deps.ts";
import { ok } from "../http/answer.ts";
import type { App, Call } from "../http/application.ts";
import { patched, readPatch } from "../http/json-patch.ts";
import { invalid, Refusal } from "../http/refusal.ts";
import { standingTo } from "../sign-in/actor.ts";
import { type User, users } from "../users/store.ts";
import { defaultSettings, supportedLanguages } from "./default-settings.ts";

const shape = z.strictObject({ id: z.int(), ...settingsRef.shape, user: userRef });

/** Every rule that settings break, in the order in which clients expect the codes. */
function brokenRules(settings: SettingsRef): ViolationCode[] {
  const codes: ViolationCode[] = [];
  if (!supportedLanguages.includes(settings.language)) codes.push("language.not.supported");
  if (!theme.safeParse(settings.theme).success) codes.push("theme.not.supported");
  if (settings.pageSize < 1) codes.push("page.size.lower.than.one.element");
  if (settings.pageSize > largestStoredPageSize) codes.push("page.size.bigger.than.max.limit");
  return codes;
}

export function userSettingsRoutes(app: App, deps: Deps): void {
  const person = async (call: Call, permission: "readUserSettings" | "editUserSettings"): Promise<User> => {
    const allowed = may(permission, call.actor, standingTo(call.actor, { ownerId: call.id }));
    // A patch of nobody's settings is told so by everybody's right to know; reading them is not.
    if (!allowed && permission === "readUserSettings") throw new Refusal("user.not.authorized");
    const row = await users(deps.db).byId(call.id);
    if (!row || row.deleted) throw new Refusal("user.notfound");
    if (!allowed) throw new Refusal("user.not.authorized");
    return row;
  };
  const read = async (user: User) => {
    const saved = await deps.db
      .selectFrom("user_settings")
      .select(["id"])
      .where("user_id", "=", user.id)
      .executeTakeFirst();
    const { id, name, login, email } = user;
    return {
      id: saved?.id ?? 0,
      ...(user.settings ?? defaultSettings(deps.settings)),
      user: { id, name, login, email },
    };
  };
  const present = (settings: Omit<UserSettingsItem, "links">, { api }: Call): UserSettingsItem => {
    const self = `${api}/user-settings/${settings.user.id}`;
    return {
      ...settings,
      links: [
        { rel: "self", href: self },
        { rel: "self", href: self, type: "PATCH" },
        { rel: "user", href: `${api}/users/${settings.user.id}` },
      ],
    };
  };

  app.route("GET /user-settings/:id", async (call) =>
    ok(present(await read(await person(call, "readUserSettings")), call)),
  );
  app.route("PATCH /user-settings/:id", async (call) => {
    const user = await person(call, "editUserSettings");
    const after = patched(shape, await read(user), readPatch(call.body));
    const codes = brokenRules(after);
    if (codes.length > 0) throw invalid(codes);
    const values = { language: after.language, theme: after.theme, page_size: after.pageSize };
    await deps.db
      .insertInto("user_settings")
      .values({ user_id: user.id, ...values })
      .onConflict((conflict) => conflict.column("user_id").doUpdateSet(values))
      .execute();
    return ok(present(await read({ ...user, settings: after }), call));
  });
}
