/** A source package, as another repository's `PACKAGES` lists it. */
export interface UpstreamPackage {
  name: string;
  version: string;
  /** Lowercase hexadecimal; undefined if the repository does not provide it. */
  md5: string | undefined;
  /** The path of the file, below `src/contrib/`. */
  path: string;
}

/**
 * Reads `src/contrib/PACKAGES` of any CRAN-like repository (`?available.packages`): records are separated by empty
 * lines, fields are as in DESCRIPTION. Others are skipped: one error upstream must not hide all the other packages.
 */
export function* readPackagesIndex(bytes: Uint8Array): Generator<UpstreamPackage> {
  for (const record of records(decode(bytes))) {
    const name = field(record, "Package");
    const version = field(record, "Version");
    if (!name || !version || !isVersion(version) || !isName(name)) continue;
    const folder = field(record, "Path");
    const file = field(record, "File") ?? `${name}_${version}.tar.gz`;
    const path = folder ? `${folder}/${file}` : file;
    if (!isBelow(path)) continue;
    const md5 = field(record, "MD5sum")?.toLowerCase();
    yield { name, version, md5: md5 && /^[0-9a-f]{32}$/.test(md5) ? md5 : undefined, path };
  }
}

/** Slices of the text, to avoid a second copy of a large index as an array. */
function* records(text: string): Generator<string> {
  const separator = /\r?\n[ \t]*\r?\n/g;
  let from = 0;
  for (let match = separator.exec(text); match; match = separator.exec(text)) {
    yield text.slice(from, match.index);
    from = separator.lastIndex;
  }
  yield text.slice(from);
}

const patterns = {
  Package: /^Package[ \t]*:[ \t]*(\S*)/m,
  Version: /^Version[ \t]*:[ \t]*(\S*)/m,
  MD5sum: /^MD5sum[ \t]*:[ \t]*(\S*)/m,
  Path: /^Path[ \t]*:[ \t]*(\S*)/m,
  File: /^File[ \t]*:[ \t]*(\S*)/m,
} as const;

const field = (record: string, name: keyof typeof patterns): string | undefined =>
  patterns[name].exec(record)?.[1] || undefined;

const isName = (name: string): boolean => /^[A-Za-z][A-Za-z0-9.]*$/.test(name);

const isVersion = (version: string): boolean => /^\d+([.-]\d+)*$/.test(version);

/** Relative, and never upwards: an index only refers to its own files. */
const isBelow = (path: string): boolean =>
  !/^[/\\]|^[a-z][a-z0-9+.-]*:/i.test(path) &&
  !path.split(/[/\\]/).some((part) => part === "" || /^\.{1,2}$/.test(part));

/** Names, versions and digests are ASCII; the encoding of other fields does not matter here. */
const decode = (bytes: Uint8Array): string => new TextDecoder("latin1").decode(bytes);
