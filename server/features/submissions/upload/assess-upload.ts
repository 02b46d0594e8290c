import { may } from "@packhouse/contract/permissions";
import { formatOf } from "@packhouse/formats/format";
import type { PackageFile } from "@packhouse/formats/package-file";
import { type Actor, relationTo } from "../../../http/actor.ts";
import type { Db, Tx } from "../../../platform/db/database.ts";
import type { RepositoryRow } from "../../../platform/db/schema.ts";
import { reservedBy } from "../../../platform/names/lookalikes.ts";
import { checkNewName, isKeptFrom, type Lookalike, lookalikeClash } from "../../packages/new-name.ts";
import { ClashingPackage, clash, clashOf, type ImportingMirror, type KnownPackage } from "../../packages/origin.ts";
import { isWaiting, mayEdit } from "../../packages/package.ts";
import type { Package } from "../../packages/package-columns-store.ts";
import { packages } from "../../packages/store.ts";
import { answers } from "./answer-store.ts";
import { decideUpload, type UploadDecision, type UploaderRelation } from "./decide-upload.ts";
import type { UploadContext } from "./upload.ts";

export interface Assessment {
  decision: UploadDecision<Package>;
  /** Whether the upload is stored as accepted; others wait. */
  accepted: boolean;
  /** A name that looks like that of a mirror's package, which the mirror may fetch anyway. */
  like: Lookalike | undefined;
}

/** Checks an upload against what its repository has, and decides. Final only while the repository is locked. */
export async function assessUpload(
  { deps, actor, upload }: UploadContext,
  repository: RepositoryRow,
  file: PackageFile,
  db: Db | Tx,
): Promise<Assessment> {
  const { mirror, staged, parameters } = upload;
  const { sha256 } = staged.digests;
  const store = packages(db);
  let like: Lookalike | undefined;
  if (mirror) {
    checkReserved(mirror, repository, file);
    checkOrigin(mirror, await store.ofName(repository.id, file.normalizedName), file, sha256);
    like = await store.lookalikeOf(repository.id, file.normalizedName);
    if (like && isKeptFrom(like, mirror)) throw new ClashingPackage(lookalikeClash(file, like));
  } else await checkNewName(store, repository.id, file.normalizedName);

  const there = await store.ofIdentity(repository.id, file);
  const existing = there.find((it) => it.replaces_id === null);
  const accepted = uploadsAccepted(actor, repository, file);
  const owns =
    existing?.submission_state === "WAITING" && (existing.submitter_id === actor.id || mayEdit(actor, existing));
  const relation: UploaderRelation = accepted ? "approver" : owns ? "owner" : "other";
  const replacement = there.find((it) => it.replaces_id !== null);
  const waits = there.find((it) => isWaiting(it) && (it.submitter_id === actor.id || mayEdit(actor, it)));
  const answered = !accepted && waits && (await answers(db).areAskedOf(waits.submission_id)) ? waits : undefined;
  const decision = decideUpload({
    existing,
    replacement,
    answered,
    relation,
    upload: { replace: parameters.replace ?? false, mirrored: mirror !== undefined, sha256 },
    replacingAllowed: deps.settings["replacing.packages"],
  });
  return { decision, accepted, like };
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
