import { createHash } from "node:crypto";
import type { HashMethod } from "@packhouse/contract/repositories";
import type { Digests, PackageRow } from "../../platform/db/schema.ts";

/**
 * The index of a repository consists of parts, each rendered from a few packages and kept until one of them changes, so
 * that a change costs the same in a small repository and in a large one.
 */
export interface IndexLayout {
  /** Names that begin with the same characters share a part; undefined: every name has a part of its own. */
  prefixLength: number | undefined;
  /** Which digest of its packages the index names. */
  digestOf(repository: RenderedAs): keyof Digests;
  /** Renders one part from all packages in it that are public, sorted by name and version. There is at least one. */
  renderPart(repository: RenderedAs, packages: readonly PublicPackage[]): Promise<RenderedPart>;
  /** Content about the repository as a whole, which may depend on the keys of its parts, in order. */
  renderRoot(keys: () => Promise<readonly string[]>): Promise<RenderedPart>;
}

/** What of a repository's settings its index depends on. */
export interface RenderedAs {
  hashMethod: HashMethod;
  /** R: whether sources are listed among the binaries where these are missing or older. */
  redirectToSource: boolean;
}

/** An active package of a published repository. */
export interface PublicPackage
  extends Pick<
    PackageRow,
    | "name"
    | "normalized_name"
    | "version"
    | "kind"
    | "target"
    | "file_name"
    | "digest"
    | "size"
    | "license"
    | "metadata"
    | "uploaded_on"
  > {
  /** The digest that the index names, see `IndexLayout`; `digest` is always its SHA-256. */
  named_digest: string;
}

/** Bytes under their SHA-256. */
export interface Block {
  digest: string;
  bytes: Uint8Array;
}

/** A package file and the address below the repository that serves it. */
export interface PublicFile {
  /** The normalized name of its package. */
  name: string;
  path: string;
  digest: string;
  size: number;
  /** The block with the core metadata that is served next to it. */
  metadataDigest: string | null;
}

export interface RenderedPart {
  /** What the layout needs to assemble files from the part: digests of blocks and positions in them. */
  content: unknown;
  blocks: Block[];
  files: PublicFile[];
}

/** A stretch of a stored block. */
export interface Slice {
  digest: string;
  offset: number;
  length: number;
}

/** A file of the index, ready to be sent. */
export interface IndexFile {
  /** Equal for equal bytes. */
  digest: string;
  size: number;
  body: readonly (Slice | Uint8Array)[];
}

/** The part that represents the repository as a whole; a repository without it is not published. */
export const rootKey = "";

export const partKey = ({ prefixLength }: Pick<IndexLayout, "prefixLength">, normalizedName: string): string =>
  prefixLength === undefined ? normalizedName : normalizedName.slice(0, prefixLength);

export function blockOf(bytes: Uint8Array): Block {
  return { digest: sha256(bytes), bytes };
}

export const sha256 = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

/** Its digest is computed from its literal bytes and the blocks that it uses, in order of first use. */
export function indexFile(body: readonly (Slice | Uint8Array)[]): IndexFile {
  const hash = createHash("sha256");
  const blocks = new Set<string>();
  let size = 0;
  for (const piece of body) {
    size += piece.length;
    if (piece instanceof Uint8Array) hash.update(piece);
    else blocks.add(piece.digest);
  }
  return { digest: hash.update([...blocks].join()).digest("hex"), size, body };
}
