import type { PackageFile } from "@packhouse/formats/package-file";
import type { Actor } from "../../http/actor.ts";
import { mayReadRepository } from "../../identity/read-rights.ts";
import { type Db, type Tx, violatesUnique } from "../../platform/db/database.ts";
import { storedJson } from "../../platform/db/stored-json.ts";
import { invalid, Refusal } from "../../platform/errors/refusal.ts";
import { change } from "../../platform/event-log/record-event.ts";
import { checkWaitingQuotas, countWaiting } from "../../platform/limits/waiting-quotas.ts";
import { lookOf } from "../../platform/names/lookalikes.ts";
import { keepAgain, keepObject } from "../../platform/storage/named-object-store.ts";
import { lookalikeClash } from "../packages/new-name.ts";
import { editsPackage, isWaiting } from "../packages/package.ts";
import { recordPurge } from "../packages/purge-package.ts";
import { packages } from "../packages/store.ts";
import { callerWithin } from "../unit-of-work/caller-within.ts";
import { changeRepository } from "../unit-of-work/change-repository.ts";
import { changeTogether } from "../unit-of-work/change-together.ts";
import type { RepositoryUnit } from "../unit-of-work/repository-unit.ts";
import { submissions, type UploadedPackage } from "./store.ts";
import { answers } from "./upload/answer-store.ts";
import { type Assessment, assessUpload, type KnownOfUpload, knownOf, type ReadUpload } from "./upload/assess-upload.ts";
import type { UploadDecision } from "./upload/decide-upload.ts";
import type { KeptPackage, UploadOutcome } from "./upload/upload.ts";
import type { UploadManual } from "./upload/upload-manual.ts";

/** An upload that passed every check before the transaction. */
export interface CheckedUpload extends ReadUpload {
  manual: UploadManual;
}

/** Stores the bytes, then writes the rows that name them. Everything is decided again with the repository locked. */
export async function storeUpload(checked: CheckedUpload): Promise<UploadOutcome> {
  const { deps, actor, repository, upload, manual } = checked;
  const write = (unit: RepositoryUnit) => storeRows(checked, unit);
  try {
    // Bytes first, the records that name them last.
    for (const staged of [upload.staged, manual.staged]) if (staged) await keepObject(deps.db, deps.clock, staged);
    // A render for each package of a run would slow it down. None of them ever waits for a decision.
    if (upload.mirror) return await changeRepository(deps, repository.id, write, { publication: "noted" });
    // Even of an uploader who may accept now: that right may have ended by the time the repository is locked, too late
    // to lock the quotas.
    return await changeTogether(deps, repository.id, write, {
      quotasOf: actor.id,
      whenNotCopied: (outcome) =>
        outcome.stored ? { ...outcome, remark: "warning.synchronization.failure" } : outcome,
    });
  } catch (error) {
    // The lock makes this rare: a writer that does not take it was faster.
    if (!violatesUnique(error)) throw error;
    const added = { ...checked, upload: { ...upload, parameters: { ...upload.parameters, replace: false } } };
    const { decision } = await assessUpload(added, await knownOf(added, deps.db));
    if (decision.action === "keep") return kept(decision);
    throw error;
  }
}

export const kept = ({ existing, code }: KeepDecision): KeptPackage => ({
  stored: false,
  submissionId: existing.submission_id,
  code,
});
type KeepDecision = Extract<UploadDecision<{ submission_id: number }>, { action: "keep" }>;

/** Refuses an upload that would wait when too many wait already. */
export async function checkRoom(
  { deps, actor, upload, repository }: ReadUpload,
  { decision, accepted }: Assessment,
  known: KnownOfUpload,
  db: Db | Tx,
): Promise<void> {
  if (accepted) return;
  const replaces = decision.action === "replace" ? decision.existing.id : undefined;
  const counted = replaces === undefined ? known.waiting : undefined;
  const waiting =
    counted ??
    (await countWaiting(deps.settings, db, { submitterId: actor.id, repositoryId: repository.id, replaces }));
  if (waiting) checkWaitingQuotas(deps.settings, waiting, upload.staged.size);
}

async function storeRows(begun: CheckedUpload, unit: RepositoryUnit): Promise<UploadOutcome> {
  const { deps, read, upload, manual } = begun;
  const { staged, parameters, mirror } = upload;
  const { file } = read;
  const { tx, repository } = unit;
  // It may have waited for the repository, and the uploader's rights may have changed since.
  const [actor, known] = await Promise.all([
    callerWithin(deps, unit, begun.actor),
    knownOf({ ...begun, repository }, tx),
  ]);
  if (repository.deleted || !mayReadRepository(actor, repository)) throw new Refusal("repository.notfound");
  const checked = { ...begun, actor, repository };
  const assessment = await assessUpload(checked, known);
  const { decision, accepted, like } = assessment;
  const { responsibleId } = known;
  if (decision.action === "keep") return kept(decision);
  if (mirror && !accepted) throw new Refusal("user.not.authorized");
  await checkRoom(checked, assessment, known, tx);
  if (responsibleId === undefined) throw invalid(["no.suitable.maintainer.found"]);

  const by: Pick<Actor, "id" | "name"> = { id: actor.id, name: mirror ? `The mirror ${mirror.name}` : actor.name };
  const replaced = decision.action === "replace" ? decision.existing : undefined;
  // What is being said about it now comes before this, and is moved, or finds it gone.
  if (replaced) await submissions(tx).lockedAll([replaced.submission_id]);
  const answering =
    !accepted &&
    answers(tx).answer({
      ...file,
      repositoryId: repository.id,
      uploaderId: actor.id,
      edits: editsPackage(actor, { ...file, repositoryId: repository.id, responsibleId }),
    });
  // The old package leaves the unique index before the new one enters it, and the table once no row refers to it.
  if (replaced) await Promise.all([answering, packages(tx).releaseIdentity(replaced.id)]);
  const row: UploadedPackage = {
    ...packageColumns(read),
    repository_id: repository.id,
    responsible_user_id: responsibleId,
    digest: staged.digests.sha256,
    digests: JSON.stringify(staged.digests),
    size: staged.size,
    active: accepted,
    // An answer to a request for changes replaces what the first upload would have.
    replaces_id: decision.action === "wait" ? decision.existing.id : (replaced?.replaces_id ?? null),
    uploaded_on: unit.at,
    manual_digest: manual.staged?.digests.sha256 ?? null,
    manual_size: manual.staged?.size ?? null,
    manual_wanted: manual.wanted && !manual.staged,
    mirror: mirror?.name ?? null,
  };
  unit.raiseVersion();
  if (accepted && repository.published) unit.publish([file.normalizedName]);
  const inserting = submissions(tx).insert(row, read.facts, {
    submitter_id: actor.id,
    approver_id: accepted ? actor.id : null,
    state: accepted ? "ACCEPTED" : "WAITING",
    changes: parameters.changes ?? "",
  });
  // One that waits for a decision has more to send.
  if (accepted && !replaced) unit.letNextBegin();
  const [answered, inserted] = await Promise.all([answering, inserting]);
  const { packageId, submissionId } = inserted;
  for (const object of [staged, manual.staged])
    if (object && !inserted.held.includes(object.digests.sha256)) await keepAgain(tx, deps.clock, object);
  if (replaced) {
    await packages(tx).moveReplacements(replaced.id, packageId);
    if (isWaiting(replaced)) {
      if (!accepted) await answers(tx).keepPrevious(replaced, submissionId);
      await answers(tx).moveConversation(replaced.submission_id, submissionId);
    }
    recordPurge(unit, by, replaced, "PACKAGE");
    await packages(tx).purge(replaced.id);
  }
  unit.record({
    by: actor,
    type: "upload",
    resource: "SUBMISSION",
    resourceId: submissionId,
    packageId,
    normalizedName: file.normalizedName,
    changed: [
      ...(answered ? change("changesAsked", true, false) : []),
      ...(replaced ? change("digest", replaced.digest, staged.digests.sha256) : []),
      ...(mirror ? change("mirror", null, mirror.name) : []),
    ],
    description: `${by.name} ${mirror ? "added" : "uploaded"} ${file.name} ${file.version} to ${repository.name}.`,
  });
  if (!accepted) {
    await Promise.all([deps.notices.submissionWaits(tx, submissionId), deps.inspections.request(tx, packageId)]);
  }
  return { stored: true, submissionId, ...(like ? { lookalike: lookalikeClash(file, like, true) } : {}) };
}

const packageColumns = ({ file, dependencyNames }: { file: PackageFile; dependencyNames: string[] }) =>
  ({
    technology: file.technology,
    name: file.name,
    normalized_name: file.normalizedName,
    version: file.version,
    version_key: file.versionKey,
    version_order: file.versionOrder,
    kind: file.kind,
    target: file.target,
    file_name: file.fileName,
    title: withoutNul(file.title),
    description: withoutNul(file.description),
    description_content_type: file.descriptionContentType,
    author: withoutNul(file.author),
    url: withoutNul(file.url),
    license: withoutNul(file.license),
    metadata: storedJson(file.metadata),
    dependency_names: dependencyNames,
    name_look: lookOf(file.normalizedName),
  }) satisfies Partial<UploadedPackage>;

/** PostgreSQL text cannot hold this character. */
const withoutNul = (text: string | null): string | null => text?.replaceAll("\0", "") ?? null;
