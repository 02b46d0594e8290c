import type { MirrorClash, MirrorClashReason } from "@packhouse/contract/mirrors";
import { Refusal } from "../../platform/errors/refusal.ts";

/** A package of the repository, as the rules for mirrors see it. */
export interface KnownPackage {
  versionKey: string;
  kind: "source" | "binary";
  target: string;
  digests: Readonly<Record<string, string>>;
  /** The mirror that fetched it; null when it was uploaded. */
  mirror: string | null;
  accepted: boolean;
  deleted: boolean;
  /** It waits to replace another one. */
  waitsToReplace: boolean;
}

/** A file that a mirror offers. */
export interface OfferedFile {
  name: string;
  version: string;
  versionKey: string;
  kind: "source" | "binary";
  target: string;
  /** What is known of its bytes. */
  digest: { name: string; value: string } | null;
}

/** The mirror that offers a file, with its permissions in the repository. */
export interface OfferingMirror {
  name: string;
  /** Names of all current mirrors of the repository. */
  declared: readonly string[];
  sharedNames: boolean;
}

/** A mirror that fetches a file. */
export interface ImportingMirror extends OfferingMirror {
  /** Reserved names from the settings and the declaration; those of the repository are added. */
  reservedNames: readonly string[];
}

/**
 * Why a mirror must skip a file: users, and mirrors that were first, keep their names. Uploaded packages count even
 * while they are soft-deleted; waiting and rejected ones do not, since anyone may upload.
 */
export function clashOf(
  offered: OfferedFile,
  known: readonly KnownPackage[],
  mirror: OfferingMirror,
): MirrorClash | undefined {
  const { digest, versionKey } = offered;
  const isSameVersion = (it: KnownPackage) => it.versionKey === versionKey;
  const isSameFile = (it: KnownPackage) =>
    isSameVersion(it) && it.kind === offered.kind && it.target === offered.target && !it.waitsToReplace;
  const live = known.filter((it) => !it.deleted);
  if (digest && live.some((it) => isSameFile(it) && it.digests[digest.name] === digest.value)) return undefined;

  const uploaded = known.filter((it) => it.mirror === null && it.accepted);
  const waiting = live.filter((it) => it.mirror === null && !it.accepted);
  if (uploaded.some(isSameVersion) || waiting.some(isSameFile)) return clash(offered, "uploaded", offered.name);
  if (uploaded.length > 0 && !mirror.sharedNames) return clash(offered, "name.uploaded", offered.name);

  // A mirror that the repository no longer has keeps nothing: another one takes over.
  const ofOthers = live.filter(
    (it) => it.mirror !== null && it.mirror !== mirror.name && mirror.declared.includes(it.mirror),
  );
  const [first] = mirror.sharedNames ? ofOthers.filter(isSameFile) : ofOthers;
  return first && clash(offered, "other.mirror", first.mirror ?? "");
}

const reasons: Record<MirrorClashReason, (other: string) => string> = {
  uploaded: () => "this version was uploaded here and is kept",
  "name.uploaded": () => "packages with this name are uploaded here, so no other versions are mirrored",
  "other.mirror": (mirror) => `the mirror ${mirror} added this name first`,
  reserved: (pattern) => `the name is reserved by ${pattern}`,
  "name.differs.only.in.case": (name) => `the name differs from ${name} only in case`,
  "name.confusable": (name) => `the name looks like ${name}`,
};

export const clash = (
  { name, version }: Pick<OfferedFile, "name" | "version">,
  reason: MirrorClashReason,
  other: string,
  taken = false,
): MirrorClash => ({
  name,
  version,
  reason,
  with: other,
  taken,
  text: `${name} ${version}: ${reasons[reason](other)}${taken ? "; it was mirrored anyway" : ""}`,
});

/** A mirror's package that is refused because of an existing one. */
export class ClashingPackage extends Refusal {
  readonly clash: MirrorClash;

  constructor(clash: MirrorClash) {
    super("error.validation", [clash.text]);
    this.clash = clash;
  }
}
