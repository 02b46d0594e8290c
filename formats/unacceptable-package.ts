/** Codes that the formats report; the API's own list of them is in its contract. */
export type FormatCode =
  | "could.not.extract.file"
  | "empty.archive"
  | "unsafe.archive.entry"
  | "archive.multiple.roots"
  | "archive.too.large"
  | "unsupported.package.format"
  | "unexpected.binary.package"
  | "invalid.filename"
  | "name.mismatch"
  | "version.mismatch"
  | "invalid.metadata"
  | "unsupported.metadata.version"
  | "too.many.fields"
  | "field.name.too.long"
  | "field.too.long"
  | "too.many.dependencies"
  | "too.many.authors"
  | "too.many.classifiers"
  | "too.many.extras"
  | "too.many.vignettes"
  | "read.r.package.description.exception"
  | "read.python.pkg.info.exception"
  | "empty.name"
  | "invalid.package.name"
  | "empty.description"
  | "empty.author"
  | "empty.license"
  | "empty.title"
  | "empty.version"
  | "invalid.version"
  | "empty.built"
  | "r.version.not.allowed"
  | "invalid.r.version"
  | "architecture.not.allowed"
  | "invalid.architecture"
  | "distribution.not.allowed";

/** A file that is no package we take. Carries every reason that was found, in the order in which clients expect them. */
export class UnacceptablePackage extends Error {
  readonly codes: readonly FormatCode[];
  /** What exactly is wrong, such as the number of a line. */
  readonly detail: string | undefined;
  /** `rules`: the metadata were read, and fields break rules. `unreadable`: it did not come so far. */
  readonly kind: "unreadable" | "rules";

  constructor(codes: readonly FormatCode[], detail?: string, kind: "unreadable" | "rules" = "unreadable") {
    super([codes.join(", "), detail].filter(Boolean).join(": "));
    this.codes = codes;
    this.detail = detail;
    this.kind = kind;
  }

  /** The codes, which programs look for, and beside a single one what exactly is wrong, as `code: detail`, for people. */
  get reasons(): string[] {
    const [code, another] = this.codes;
    const said = this.kind === "unreadable" && this.detail !== undefined && another === undefined;
    return said ? [...this.codes, `${code}: ${this.detail}`] : [...this.codes];
  }
}
