import { mailChoices, mailKinds } from "@packhouse/contract/mail";
import { may } from "@packhouse/contract/permissions";
import { patchedReference } from "@packhouse/contract/references";
import { settingsRef } from "@packhouse/contract/users";
import { z } from "zod";
import { type Actor, relationTo } from "../../http/actor.ts";
import { type PatchOperation, patched } from "../../http/patch/json-patch.ts";
import { invalid, Refusal } from "../../platform/errors/refusal.ts";
import { change } from "../../platform/event-log/record-event.ts";
import { securityLog } from "../../platform/event-log/security-log.ts";
import type { Deps } from "../deps.ts";
import { settingsBody } from "./present-user-settings.ts";
import { type SavedSettings, userSettings } from "./store.ts";
import { brokenRules } from "./user-settings.ts";

const shape = z.strictObject({
  id: z.int(),
  ...settingsRef.shape,
  mail: mailChoices.strict(),
  user: patchedReference,
});

/** Saves a user's settings; the first patch starts from the defaults. Changes are security events others cannot see. */
export async function editUserSettings(
  { db, settings, clock, workers }: Deps,
  actor: Actor,
  { userId, operations, address }: { userId: number; operations: readonly PatchOperation[]; address: string },
): Promise<SavedSettings> {
  return db.transaction().execute(async (tx) => {
    const store = userSettings(tx);
    const before = await store.lock(userId);
    if (!before) throw new Refusal("user.notfound");
    if (!may("editUserSettings", actor, relationTo(actor, { ownerId: userId })))
      throw new Refusal("user.not.authorized");
    const known = settingsBody(before, settings);
    const after = await patched(workers, shape, known, operations);
    const codes = brokenRules(after);
    if (codes.length > 0) throw invalid(codes);
    await store.save(userId, after);
    const changed = [
      ...(["language", "theme", "pageSize"] as const).flatMap((name) => change(name, known[name], after[name])),
      ...mailKinds.flatMap((kind) => change(`mail.${kind}`, known.mail[kind], after.mail[kind])),
    ];
    if (changed.length > 0)
      await securityLog(tx, clock()).settingsChange({ account: { id: userId }, by: actor, address, changed });
    return (await store.of(userId)) ?? before;
  });
}
