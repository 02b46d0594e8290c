import { longestName } from "@packhouse/contract/limits";
import type { MessageCode } from "@packhouse/contract/messages";
import type { MirrorClash } from "@packhouse/contract/mirrors";
import { may } from "@packhouse/contract/permissions";
import type { UploadParameters } from "@packhouse/contract/submissions";
import type { Technology } from "@packhouse/contract/technology";
import type { ViolationCode } from "@packhouse/contract/violations";
import { formatOf } from "@packhouse/formats/format";
import { defaultLimits, type PackageFile } from "@packhouse/formats/package-file";
import type { BinaryRequest } from "@packhouse/formats/r/binary-target";
import { UnacceptablePackage } from "@packhouse/formats/unacceptable-package";
import { type Actor, standingTo } from "../../http/actor.ts";
import { mayReadRepository } from "../../identity/read-rights.ts";
import { type Tx, violatesUnique } from "../../platform/db/database.ts";
import type { RepositoryRow } from "../../platform/db/schema.ts";
import { storedJson } from "../../platform/db/stored-json.ts";
import { invalid, Refusal } from "../../platform/errors/refusal.ts";
import { change } from "../../platform/event-log/record-event.ts";
import { checkWaitingQuotas, holdQuotasOf } from "../../platform/limits/waiting-quotas.ts";
import { lookOf, reservedBy } from "../../platform/names/lookalikes.ts";
import type { UploadEnd } from "../../platform/observability/watch.ts";
import { holdObject, keepObject } from "../../platform/storage/named-objects.ts";
import type { StagedObject } from "../../platform/storage/storage.ts";
import type { Tasks } from "../../platform/workers/task.ts";
import type { Deps } from "../deps.ts";
import { responsibleUser } from "../maintainers/responsible-user.ts";
import { factsStore } from "../packages/facts-store.ts";
import { checkNewName, isKeptFrom, type Lookalike, lookalikeClash } from "../packages/new-name.ts";
import { type BringingMirror, ClashingPackage, clash, clashOf } from "../packages/origin.ts";
import { mayEdit } from "../packages/package.ts";
import { recordPurge } from "../packages/purge-package.ts";
import { type Package, packages } from "../packages/store.ts";
import { changeRepository, type RepositoryUnit } from "../repositories/change-repository.ts";
import { submissions } from "./store.ts";

export interface NewUpload {
  parameters: Pick<UploadParameters, "repository"> & Partial<UploadParameters>;
  fileName: string;
  /** As the client says it; empty when it says nothing. */
  contentType: string;
  staged: StagedObject;
  /** Set when a mirror brings it: it never takes the place of what people, or other mirrors, brought. */
  mirror?: BringingMirror;
  /** Whether the call waits until clients see the package, or only notes what is to be rendered later. */
  publication?: "awaited" | "noted";
}

type ManualRemark = Extract<MessageCode, "generate.manual.not.supported" | "manual.generation.unavailable">;

/** Stored, perhaps with a remark; or there already: then the submission is that of the package that is there. */
export type UploadOutcome =
  | {
      stored: true;
      submissionId: number;
      remark?: ManualRemark | "warning.synchronization.failure";
      /** Brought by a mirror although its name looks like another one. */
      lookalike?: MirrorClash;
    }
  | { stored: false; submissionId: number; code: Extract<MessageCode, `warning.${string}`> };

/** What clients call archives; what it really is, the bytes say. */
const refusedContentTypes = /^(text|image|audio|video|font)\/|^application\/(json|xml|xhtml\+xml|pdf)$/;

/**
 * Checks an uploaded file and makes a submission of it: accepted at once when its uploader may do that, else waiting.
 * Whatever goes wrong leaves neither bytes nor rows.
 */
export async function uploadPackage(
  deps: Deps,
  actor: Actor,
  technology: Technology,
  upload: NewUpload,
): Promise<UploadOutcome> {
  const ended = (outcome: UploadEnd) => deps.watch.uploadEnded({ technology, outcome, bytes: upload.staged.size });
  try {
    const outcome = await takeUpload(deps, actor, technology, upload);
    ended(outcome.stored ? "stored" : "present");
    return outcome;
  } catch (error) {
    ended(error instanceof Refusal && error.status < 500 ? "refused" : "failed");
    throw error;
  }
}

async function takeUpload(deps: Deps, actor: Actor, technology: Technology, upload: NewUpload): Promise<UploadOutcome> {
  let manual: UploadedManual | undefined;
  try {
    const repository = await findRepository(deps, actor, technology, upload.parameters.repository);
    checkPart(technology, upload);
    const binary = binaryRequest(deps, technology, upload);
    const read = await readPackage(deps, actor, technology, upload, binary);
    const { file } = read;
    const present = await decide(deps, actor, repository, file, upload);
    if ("answer" in present) return present.answer;
    // What has no room is refused before any work is done for it; whether there is room, the transaction decides.
    if (!present.accepted) await checkWaitingQuotas(deps, deps.db, waiting(actor, repository, upload, present.purge));
    manual = await manualOf(deps, file, upload, present.accepted);
    const outcome = await store(deps, actor, repository, read, upload, manual);
    return outcome.stored && manual.remark ? { remark: manual.remark, ...outcome } : outcome;
  } finally {
    await upload.staged.discard();
    await manual?.staged?.discard();
  }
}

/** What becomes of the PDF manual: it was built with the upload, is wanted once the package is accepted, or neither. */
interface UploadedManual {
  staged?: StagedObject;
  wanted: boolean;
  remark?: ManualRemark;
}

async function manualOf(
  { manuals, settings }: Deps,
  file: PackageFile,
  { parameters, staged }: NewUpload,
  accepted: boolean,
): Promise<UploadedManual> {
  const wanted = parameters.generateManual ?? (settings.generateManuals && manuals.available);
  if (file.technology !== "R" || !wanted) return { wanted: false };
  if (file.kind === "binary") return { wanted: false, remark: "generate.manual.not.supported" };
  if (!manuals.available) return { wanted: false, remark: "manual.generation.unavailable" };
  if (!accepted) return { wanted };
  const manual = await manuals.build({ source: staged.source, fileName: file.fileName, kind: file.kind });
  if ("failure" in manual) throw new Refusal("error.validation", [`could.not.generate.manual: ${manual.failure}`]);
  return { wanted, staged: manual.staged };
}

async function findRepository(deps: Deps, actor: Actor, technology: Technology, name: string): Promise<RepositoryRow> {
  const row = await deps.db
    .selectFrom("repositories")
    .selectAll()
    .where("name", "=", name)
    .where("technology", "=", technology)
    .where("deleted", "=", false)
    .executeTakeFirst();
  if (!row || !mayReadRepository(actor, row)) throw new Refusal("repository.notfound");
  return row;
}

/** What can be said of the part before it is opened, all of it at once. */
function checkPart(technology: Technology, { parameters, fileName, contentType, staged, mirror }: NewUpload): void {
  const reasons: (ViolationCode | (string & {}))[] = [];
  if (refusedContentTypes.test(contentType)) reasons.push("invalid.contenttype");
  if (staged.size === 0) reasons.push("error.empty.file");
  if (fileName.length > longestName) throw invalid(["filename.too.long"]);
  try {
    // What mirrors bring may be called otherwise; its name is checked when it is read.
    if (!mirror) formatOf(technology).checkFileName(fileName, parameters.binary);
  } catch (error) {
    if (!(error instanceof UnacceptablePackage)) throw error;
    reasons.push(...error.reasons);
  }
  if (reasons.length > 0) throw new Refusal("error.validation", reasons);
}

/** R: what a binary is said to be built for; undefined for sources. All three are needed, or none may be said. */
function binaryRequest(
  { settings }: Deps,
  technology: Technology,
  { parameters }: NewUpload,
): BinaryRequest | undefined {
  if (technology !== "R") return undefined;
  const { binary, rVersion, architecture, distribution } = parameters;
  const said = [rVersion, architecture, distribution].filter((value) => value !== undefined);
  if (!binary && said.length > 0)
    throw new Refusal("error.validation", "error.parameters.not.allowed.for.non.binary.package");
  if (!binary) return undefined;
  if (rVersion === undefined || architecture === undefined || distribution === undefined)
    throw new Refusal("error.validation", "error.missing.data.for.binary.package");
  return {
    target: { rVersion, architecture, distribution },
    allowed: {
      rVersions: settings["r.versions"],
      architectures: settings["r.architectures"],
      distributions: settings["r.distributions"],
    },
  };
}

/** What a worker read in an archive. */
type ReadPackage = Tasks["read-package"]["output"];

async function readPackage(
  { settings, workers }: Deps,
  actor: Actor,
  technology: Technology,
  { staged, fileName, mirror }: NewUpload,
  binary: BinaryRequest | undefined,
): Promise<ReadPackage> {
  const limits = {
    ...defaultLimits,
    maxUnpackedBytes: settings["upload.maxUnpackedBytes"],
    maxRatio: settings["upload.maxRatio"],
  };
  try {
    const read = await workers.run(
      "read-package",
      { technology, fileName, limits, binary, mirrored: mirror !== undefined },
      { source: staged.source, whose: actor.id },
    );
    const codes = tooLong(read.file);
    if (codes.length > 0) throw invalid(codes);
    return read;
  } catch (error) {
    if (!(error instanceof UnacceptablePackage)) throw error;
    // Existing clients expect broken field rules quoted and joined in one entry, all else plain.
    if (error.kind === "rules")
      throw new Refusal("error.validation", [error.codes.map((code) => `"${code}"`).join(", ")]);
    throw new Refusal("error.validation", error.reasons);
  }
}

/** What names a package is a key of indexes, in the database and in paths. */
const tooLong = (file: PackageFile): ViolationCode[] => [
  ...(file.name.length > longestName ? ["name.too.long" as const] : []),
  ...(file.version.length > longestName ? ["version.too.long" as const] : []),
  ...(file.fileName.length > longestName || file.target.length > longestName ? ["filename.too.long" as const] : []),
];

const uploadsAccepted = (actor: Actor, repository: RepositoryRow, file: PackageFile): boolean =>
  may("uploadAccepted", actor, standingTo(actor, { repositoryId: repository.id, normalizedName: file.normalizedName }));

const waiting = (actor: Actor, repository: RepositoryRow, { staged }: NewUpload, purge: Package | undefined) => ({
  replaces: purge?.id,
  submitterId: actor.id,
  repositoryId: repository.id,
  bytes: staged.size,
});

/** What an upload does to what is there: nothing is in its way, it takes a package's place, or it waits to take it. */
type Decision =
  | { answer: UploadOutcome }
  | {
      purge: Package | undefined;
      waitsToReplace: Package | undefined;
      accepted: boolean;
      /** A name that looks like that of a mirror's package, which the mirror may bring anyway. */
      like: Lookalike | undefined;
    };

async function decide(
  deps: Deps,
  actor: Actor,
  repository: RepositoryRow,
  file: PackageFile,
  { parameters: { replace = false }, mirror, staged }: NewUpload,
  tx?: Tx,
): Promise<Decision> {
  const store = packages(tx ?? deps.db);
  const like = mirror && (await checkMirror(store, repository, file, mirror, staged.digests.sha256));
  if (!mirror) await checkNewName(store, repository.id, file.normalizedName);
  const there = await store.ofIdentity(repository.id, file);
  const current = there.find((it) => it.replaces_id === null);
  const replacement = there.find((it) => it.replaces_id !== null);
  const accepted = uploadsAccepted(actor, repository, file);
  const isThere = (
    it: Package,
    code: "warning.package.duplicate" | "warning.replacing.packages.disabled",
  ): Decision => ({
    answer: { stored: false, submissionId: it.submission_id, code },
  });

  if (!current)
    return replacement
      ? isThere(replacement, "warning.package.duplicate")
      : { purge: undefined, waitsToReplace: undefined, accepted, like };
  // With the same bytes the package stays as it is: that a mirror has them too does not make it the mirror's.
  if (!replace || (mirror && current.digest === staged.digests.sha256))
    return isThere(current, "warning.package.duplicate");
  if (!deps.settings["replacing.packages"]) return isThere(current, "warning.replacing.packages.disabled");
  const own = current.submission_state === "WAITING" && (current.submitter_id === actor.id || mayEdit(actor, current));
  if (accepted || own) return { purge: current, waitsToReplace: undefined, accepted, like };
  if (replacement) return isThere(replacement, "warning.package.duplicate");
  return { purge: undefined, waitsToReplace: current, accepted, like };
}

/** Of several mirrors the first, and before all of them people, keep what they brought. Returns the name that looks alike. */
async function checkMirror(
  store: ReturnType<typeof packages>,
  repository: Pick<RepositoryRow, "id" | "reserved_names">,
  file: PackageFile,
  mirror: BringingMirror,
  sha256: string,
): Promise<Lookalike | undefined> {
  const { normalizeName } = formatOf(file.technology);
  const pattern = reservedBy(file.name, [...mirror.reservedNames, ...repository.reserved_names], normalizeName);
  if (pattern !== undefined) throw new ClashingPackage(clash(file, "reserved", pattern));
  const offered = { ...file, digest: { name: "sha256", value: sha256 } };
  const found = clashOf(offered, await store.ofName(repository.id, file.normalizedName), mirror);
  if (found) throw new ClashingPackage(found);
  const like = await store.lookalikeOf(repository.id, file.normalizedName);
  if (like && isKeptFrom(like, mirror)) throw new ClashingPackage(lookalikeClash(file, like));
  return like;
}

async function store(
  deps: Deps,
  actor: Actor,
  repository: RepositoryRow,
  read: ReadPackage,
  upload: NewUpload,
  manual: UploadedManual,
): Promise<UploadOutcome> {
  try {
    // Bytes first, the records that name them last.
    for (const staged of [upload.staged, manual.staged]) if (staged) await keepObject(deps.db, deps.clock, staged);
    return await changeRepository(
      deps,
      async (tx) => {
        if (!uploadsAccepted(actor, repository, read.file)) await holdQuotasOf(tx, actor.id);
        return repository.id;
      },
      (unit) => storeRows(deps, unit, actor, read, upload, manual),
      {
        publication: upload.publication ?? "awaited",
        whenNotCopied: (outcome) =>
          outcome.stored ? { ...outcome, remark: "warning.synchronization.failure" } : outcome,
      },
    );
  } catch (error) {
    // The lock makes this rare: a writer that does not take it was faster.
    if (!violatesUnique(error)) throw error;
    const parameters = { ...upload.parameters, replace: false };
    const decision = await decide(deps, actor, repository, read.file, { ...upload, parameters });
    if ("answer" in decision) return decision.answer;
    throw error;
  }
}

async function storeRows(
  deps: Deps,
  unit: RepositoryUnit,
  actor: Actor,
  { file, facts, dependencyNames }: ReadPackage,
  upload: NewUpload,
  manual: UploadedManual,
): Promise<UploadOutcome> {
  const { staged, parameters, mirror } = upload;
  const { tx, repository, at: now } = unit;
  const waits = !uploadsAccepted(actor, repository, file);
  if (repository.deleted) throw new Refusal("repository.notfound");
  const decision = await decide(deps, actor, repository, file, upload, tx);
  if ("answer" in decision) return decision.answer;
  const { purge, waitsToReplace, accepted, like } = decision;
  if (waits) await checkWaitingQuotas(deps, tx, waiting(actor, repository, upload, purge));
  const responsible = await responsibleUser(tx, repository.id, file.normalizedName);
  if (responsible === undefined) throw invalid(["no.suitable.maintainer.found"]);

  const by = { id: actor.id, name: mirror ? `The mirror ${mirror.name}` : actor.name };
  for (const object of [staged, manual.staged]) if (object) await holdObject(tx, deps.clock, object);
  // The old one leaves the unique index before the new one enters it, and the table after nobody refers to it.
  if (purge) await tx.updateTable("packages").set({ deleted: true }).where("id", "=", purge.id).execute();
  const packageId = await submissions(tx).insertPackage({
    repository_id: repository.id,
    technology: file.technology,
    responsible_user_id: responsible,
    name: file.name,
    normalized_name: file.normalizedName,
    version: file.version,
    version_key: file.versionKey,
    version_order: file.versionOrder,
    kind: file.kind,
    target: file.target,
    file_name: file.fileName,
    digest: staged.digests.sha256,
    digests: JSON.stringify(staged.digests),
    size: staged.size,
    title: withoutNul(file.title),
    description: withoutNul(file.description),
    description_content_type: file.descriptionContentType,
    author: withoutNul(file.author),
    url: withoutNul(file.url),
    license: withoutNul(file.license),
    metadata: storedJson(file.metadata),
    dependency_names: dependencyNames,
    active: accepted,
    replaces_id: waitsToReplace?.id ?? null,
    uploaded_on: now,
    manual_digest: manual.staged?.digests.sha256 ?? null,
    manual_size: manual.staged?.size ?? null,
    manual_wanted: manual.wanted && !manual.staged,
    mirror: mirror?.name ?? null,
    name_look: lookOf(file.normalizedName),
  });
  await factsStore(tx).save(packageId, facts);
  if (purge) {
    await tx.updateTable("packages").set({ replaces_id: packageId }).where("replaces_id", "=", purge.id).execute();
    await recordPurge(unit, by, purge, "PACKAGE");
    await packages(tx).purge(purge.id);
  }
  const submissionId = await submissions(tx).insert({
    package_id: packageId,
    technology: file.technology,
    submitter_id: actor.id,
    approver_id: accepted ? actor.id : null,
    state: accepted ? "ACCEPTED" : "WAITING",
    changes: parameters.changes ?? "",
    created_on: now,
  });
  await unit.raiseVersion();
  await unit.record({
    by: actor,
    type: "upload",
    resource: "SUBMISSION",
    resourceId: submissionId,
    packageId,
    normalizedName: file.normalizedName,
    changed: [
      ...(purge ? change("digest", purge.digest, staged.digests.sha256) : []),
      ...(mirror ? change("mirror", null, mirror.name) : []),
    ],
    description: `${by.name} ${mirror ? "brought" : "uploaded"} ${file.name} ${file.version} to ${repository.name}.`,
  });
  if (accepted && repository.published) await unit.publish([file.normalizedName]);
  const lookalike = like ? { lookalike: lookalikeClash(file, like, true) } : {};
  return { stored: true, submissionId, ...lookalike };
}

/** PostgreSQL's text holds every character but this one. */
const withoutNul = (text: string | null): string | null => text?.replaceAll("\0", "") ?? null;
