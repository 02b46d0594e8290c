import { may } from "@packhouse/contract/permissions";
import { formatOf } from "@packhouse/formats/format";
import type { PackageFile } from "@packhouse/formats/package-file";
import { type Actor, relationTo } from "../../../http/actor.ts";
import type { Db, Tx } from "../../../platform/db/database.ts";
import type { RepositoryRow } from "../../../platform/db/schema.ts";
import { countWaiting } from "../../../platform/limits/waiting-quotas.ts";
import { reservedBy } from "../../../platform/names/lookalikes.ts";
import { isKeptFrom, type Lookalike, lookalikeClash, refuseLookalike } from "../../packages/new-name.ts";
import { ClashingPackage, clash, clashOf, type ImportingMirror, type KnownPackage } from "../../packages/origin.ts";
import { isWaiting, mayEdit } from "../../packages/package.ts";
import type { Package } from "../../packages/package-columns-store.ts";
import { packages } from "../../packages/store.ts";
import { answers } from "./answer-store.ts";
import type { ReadPackage } from "./check-upload.ts";
import { decideUpload, type UploadDecision, type UploaderRelation } from "./decide-upload.ts";
import { knownOfFile } from "./known-store.ts";
import type { UploadContext } from "./upload.ts";

export interface Assessment {
  decision: UploadDecision<Package>;
  /** Whether the upload is stored as accepted; others wait. */
  accepted: boolean;
  /** A name that looks like that of a mirror's package, which the mirror may fetch anyway. */
  like: Lookalike | undefined;
}

/** An upload whose file has been read, and the repository that it is for. */
export interface ReadUpload extends UploadContext {
  repository: RepositoryRow;
  read: ReadPackage;
}

/** What its repository has that matters for an upload. */
export type KnownOfUpload = Awaited<ReturnType<typeof knownOf>>;

/** Final only while the repository is locked. */
export async function knownOf({ deps, actor, repository, read, upload }: ReadUpload, db: Db | Tx) {
  const { file } = read;
  const store = packages(db);
  const quotas = { submitterId: actor.id, repositoryId: repository.id };
  const mayWait = !upload.mirror && !uploadsAccepted(actor, repository, file);
  const [{ like, hasSameFile, responsibleId }, ofName, waiting] = await Promise.all([
    knownOfFile(db, repository.id, file),
    upload.mirror ? store.ofName(repository.id, file.normalizedName) : [],
    mayWait ? countWaiting(deps.settings, db, quotas) : undefined,
  ]);
  const sameFile = hasSameFile ? await store.ofIdentity(repository.id, file) : [];
  return { like, sameFile, ofName, responsibleId, waiting, areAskedOf: answers(db).areAskedOf };
}

/** Checks an upload against what its repository has, and decides. */
export async function assessUpload(
  { deps, actor, upload, repository, read: { file } }: ReadUpload,
  known: KnownOfUpload,
): Promise<Assessment> {
  const { mirror, staged, parameters } = upload;
  const { sha256 } = staged.digests;
  const { like, sameFile } = known;
  if (mirror) {
    checkReserved(mirror, repository, file);
    checkOrigin(mirror, known.ofName, file, sha256);
    if (like && isKeptFrom(like, mirror)) throw new ClashingPackage(lookalikeClash(file, like));
  } else refuseLookalike(file.normalizedName, like);

  const existing = sameFile.find((it) => it.replaces_id === null);
  const accepted = uploadsAccepted(actor, repository, file);
  const owns =
    existing?.submission_state === "WAITING" && (existing.submitter_id === actor.id || mayEdit(actor, existing));
  const relation: UploaderRelation = accepted ? "approver" : owns ? "owner" : "other";
  const replacement = sameFile.find((it) => it.replaces_id !== null);
  const waits = sameFile.find((it) => isWaiting(it) && (it.submitter_id === actor.id || mayEdit(actor, it)));
  const answered = !accepted && waits && (await known.areAskedOf(waits.submission_id)) ? waits : undefined;
  const decision = decideUpload({
    existing,
    replacement,
    answered,
    relation,
    upload: { replace: parameters.replace ?? false, mirrored: mirror !== undefined, sha256 },
    replacingAllowed: deps.settings["replacing.packages"],
  });
  return { decision, accepted, like: mirror && like };
}

const uploadsAccepted = (
  actor: Actor,
  repository: Pick<RepositoryRow, "id">,
  { normalizedName }: PackageFile,
): boolean => may("uploadAccepted", actor, relationTo(actor, { repositoryId: repository.id, normalizedName }));

function checkReserved(
  mirror: ImportingMirror,
  repository: Pick<RepositoryRow, "reserved_names">,
  file: PackageFile,
): void {
  const { normalizeName } = formatOf(file.technology);
  const pattern = reservedBy(file.name, [...mirror.reservedNames, ...repository.reserved_names], normalizeName);
  if (pattern !== undefined) throw new ClashingPackage(clash(file, "reserved", pattern));
}

/** Users first, then mirrors in the order in which they fetched a name, keep their packages. */
function checkOrigin(mirror: ImportingMirror, known: readonly KnownPackage[], file: PackageFile, sha256: string): void {
  const found = clashOf({ ...file, digest: { name: "sha256", value: sha256 } }, known, mirror);
  if (found) throw new ClashingPackage(found);
}
