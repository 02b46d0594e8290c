/** Codes that the formats report; the contract has the API's full list. */
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

/** A file that is not an acceptable package. Has every reason found, in the order that clients expect. */
export class UnacceptablePackage extends Error {
  readonly codes: readonly FormatCode[];
  /** Details, such as the line number. */
  readonly detail: string | undefined;
  /** `rules`: the metadata was read, but fields break rules. `unreadable`: it could not be read. */
  readonly kind: "unreadable" | "rules";

  constructor(codes: readonly FormatCode[], detail?: string, kind: "unreadable" | "rules" = "unreadable") {
    super([codes.join(", "), detail].filter(Boolean).join(": "));
    this.codes = codes;
    this.detail = detail;
    this.kind = kind;
  }

  /** The codes, which programs check, and after a single one its details for people, as `code: detail`. */
  get reasons(): string[] {
    const [code, another] = this.codes;
    const hasDetail = this.kind === "unreadable" && this.detail !== undefined && another === undefined;
    return hasDetail ? [...this.codes, `${code}: ${this.detail}`] : [...this.codes];
  }
}
