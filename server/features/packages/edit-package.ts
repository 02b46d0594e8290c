import { randomUUID } from "node:crypto";
import type { ChangedProperty } from "@packhouse/contract/events";
import { packageBase, pythonPackageFields, rPackageFields } from "@packhouse/contract/packages";
import type { UserRef } from "@packhouse/contract/references";
import type { Technology } from "@packhouse/contract/technology";
import { type ViolationCode, violationText } from "@packhouse/contract/violations";
import { z } from "zod";
import type { Actor } from "../../http/actor.ts";
import { type PatchOperation, patched } from "../../http/patch/json-patch.ts";
import { restores } from "../../http/patch/restores.ts";
import { type Tx, violatesUnique } from "../../platform/db/database.ts";
import { invalid, Refusal } from "../../platform/errors/refusal.ts";
import { change } from "../../platform/event-log/record-event.ts";
import { putBackPublishedFile, takeDownPublishedFile } from "../../publish/records/take-down.ts";
import type { Deps } from "../deps.ts";
import { rechooseResponsible } from "../maintainers/responsible-user-store.ts";
import { callerWithin } from "../unit-of-work/caller-within.ts";
import { changeTogether } from "../unit-of-work/change-together.ts";
import type { RepositoryUnit } from "../unit-of-work/repository-unit.ts";
import { checkMetadataTask } from "./contents/package-tasks.ts";
import { checkNewName } from "./new-name.ts";
import { isAccepted, isVisible, isWaiting, mayEdit } from "./package.ts";
import type { Package } from "./package-columns-store.ts";
import { packageBody, technologyFields } from "./present-package.ts";
import { recordDecision } from "./record-decision.ts";
import { packages } from "./store.ts";

/** None of them may change, but a client may send less of them than it was served. */
const reference = z.looseObject({ id: z.int().optional() }).nullish();
const references = { user: reference, repository: reference, submission: reference };
const shapes = {
  R: z.strictObject({ ...packageBase.shape, ...rPackageFields.shape, ...references }),
  Python: z.strictObject({ ...packageBase.shape, ...pythonPackageFields.shape, ...references }),
} as const;

/** Properties that the file determines; a patch that would change them is refused for each. */
const fixed: Record<Technology, readonly string[]> = {
  R: [
    "name",
    "description",
    "version",
    "author",
    "license",
    "title",
    "url",
    "submission",
    "source",
    "user",
    "repository",
    "md5sum",
    "depends",
    "imports",
    "suggests",
    "systemRequirements",
    "origin",
    "mirror",
  ],
  Python: ["name", "version", "license", "source", "user", "repository", "hash", "origin", "mirror"],
};

/**
 * Activates or deactivates a package, soft-deletes it, or (administrators) restores it. Deleting a package that waits
 * cancels its submission.
 */
export async function editPackage(
  deps: Deps,
  caller: Actor,
  { technology, id }: { technology: Technology; id: number },
  operations: readonly PatchOperation[],
): Promise<Package> {
  const found = await packages(deps.db).byId(id);
  if (found?.technology !== technology || !isVisible(caller, found)) throw new Refusal("package.notfound");
  const edit = async (unit: RepositoryUnit) => {
    const { tx, repository } = unit;
    const [actor, before] = await Promise.all([callerWithin(deps, unit, caller), packages(tx).locked(id)]);
    if (!before || !isVisible(actor, before)) throw new Refusal("package.notfound");
    if (!mayEdit(actor, before)) throw new Refusal("user.not.authorized");
    const editing = { unit, actor, before, notices: deps.notices };
    if (before.deleted) return restore(editing, operations);

    const item = { ...packageBody(before), ...technologyFields[technology](before, repository.hash_method) };
    const after = await patched(deps.workers, shapes[technology], item, operations);
    await checkReferences(tx, before, after);
    if (after.deleted && !deps.settings["deleting.packages"]) throw new Refusal("deleting.packages.disabled");
    const codes: ViolationCode[] = [
      ...(await contentViolations(deps, technology, item, after)),
      ...fixedViolations(technology, item, after),
    ];
    if (codes.length === 0 && !after.deleted && after.active !== before.active && !isAccepted(before))
      codes.push("package.not.accepted");
    if (codes.length > 0) throw invalid(codes);

    if (after.deleted) return softDelete(editing);
    if (after.active !== before.active) {
      await packages(tx).setActive(id, after.active);
      await (after.active ? putBackPublishedFile : takeDownPublishedFile)(tx, before.repository_id, before.digest);
      await rechooseResponsible(tx, before.repository_id, before.normalized_name);
      const now = await packages(tx).byId(id);
      const changed = [
        ...change("active", before.active, after.active),
        ...change("user", userText(before.user), now && userText(now.user)),
      ];
      record(editing, changed, after.active ? "activated" : "deactivated");
      if (repository.published) unit.publish([before.normalized_name]);
    }
  };
  try {
    await changeTogether(deps, found.repository_id, edit, { missing: "package.notfound" });
  } catch (error) {
    if (violatesUnique(error)) throw invalid(["warning.package.duplicate"]);
    throw error;
  }
  const row = await packages(deps.db).byId(id);
  if (!row) throw new Refusal("package.notfound");
  return row;
}

interface Editing extends Pick<Deps, "notices"> {
  unit: RepositoryUnit;
  actor: Actor;
  before: Package;
}

/** What waits is canceled; it was never public. */
async function softDelete(editing: Editing): Promise<void> {
  const { actor, before, notices, unit } = editing;
  const { tx, repository } = unit;
  const waits = isWaiting(before);
  if (waits) await recordDecision(unit, actor, [{ before }], { decision: "CANCELLED", notices });
  record(editing, change("deleted", false, true), "deleted");
  await Promise.all([
    packages(tx).softDelete(before.id, randomUUID()),
    waits || takeDownPublishedFile(tx, before.repository_id, before.digest),
  ]);
  if (waits) return;
  if (repository.published) unit.publish([before.normalized_name]);
}

async function restore(editing: Editing, operations: readonly PatchOperation[]): Promise<void> {
  const { before, unit } = editing;
  const { tx, repository } = unit;
  if (!restores(operations)) throw new Refusal("editing.deleted.resource.not.possible");
  if (!isAccepted(before)) throw invalid(["package.not.accepted"]);
  if (repository.deleted) throw invalid(["repository.not.found"]);
  await checkNewName(packages(tx), before.repository_id, before.normalized_name);
  await packages(tx).restore(before.id);
  await rechooseResponsible(tx, before.repository_id, before.normalized_name);
  record(editing, change("deleted", true, false), "restored");
}

/** Refuses references to what does not exist; clients expect one text, not a list. */
async function checkReferences(
  tx: Tx,
  before: Package,
  after: { [Name in keyof typeof references]?: z.output<typeof reference> },
): Promise<void> {
  const ids = { user: after.user?.id, repository: after.repository?.id, submission: after.submission?.id };
  const unchanged =
    ids.user === before.user.id && ids.repository === before.repository.id && ids.submission === before.submission_id;
  if (!unchanged && !(await packages(tx).referencesExist(ids)))
    throw new Refusal("error.validation", violationText("could.not.resolve.related.entities"));
}

/** Unchanged metadata was checked on upload. */
async function contentViolations(
  { workers }: Deps,
  technology: Technology,
  before: Record<string, unknown>,
  after: { name: string; version: string } & Record<string, unknown>,
): Promise<ViolationCode[]> {
  const checked = ["name", "version", "description", "author", "license", "title"];
  if (checked.every((field) => before[field] === after[field])) return [];
  const fields = Object.fromEntries(checked.map((field) => [field, after[field]]));
  return workers.run(checkMetadataTask, {
    technology,
    fields: { ...fields, name: after.name, version: after.version },
  });
}

const fixedViolations = (
  technology: Technology,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): ViolationCode[] =>
  fixed[technology].filter((name) => !isSame(before[name], after[name])).map(() => "forbidden.update");

/** Of a reference, only the given fields count. */
const isSame = (before: unknown, after: unknown): boolean =>
  isRecord(before) && isRecord(after)
    ? Object.entries(after).every(([name, value]) => isSame(before[name], value))
    : JSON.stringify(before) === JSON.stringify(after);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const userText = (user: UserRef): string => `User (id: ${user.id}, login: "${user.login}", email: "${user.email}")`;

const record = ({ unit, actor, before }: Editing, changed: ChangedProperty[], verb: string): void =>
  unit.record({
    by: actor,
    type: "update",
    resource: "PACKAGE",
    resourceId: before.id,
    packageId: before.id,
    normalizedName: before.normalized_name,
    changed,
    description: `${actor.name} ${verb} ${before.name} ${before.version} in ${before.repository.name}.`,
  });
