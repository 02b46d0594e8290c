/** Said of the whole request and of the one field alike. */
export const invalidServerAddress = "This is not a usable address of a repository server.";

/**
 * Codes that stand inside `data` of a 422. A text means that `data` carries the text instead of the code,
 * as clients expect of exactly these.
 */
export const violations = {
  "forbidden.update": null,
  "error.no.such.package": null,
  "empty.name": null,
  "empty.version": null,
  "empty.description": null,
  "empty.author": null,
  "empty.license": null,
  "empty.title": null,
  "empty.md5sum": null,
  "empty.hash": null,
  "empty.built": null,
  "invalid.package.name": null,
  "invalid.version": null,
  "r.version.not.allowed": null,
  "invalid.r.version": null,
  "architecture.not.allowed": null,
  "invalid.architecture": null,
  "distribution.not.allowed": null,
  "invalid.contenttype": null,
  "error.empty.file": null,
  "invalid.filename": null,
  "error.missing.data.for.binary.package": null,
  "error.parameters.not.allowed.for.non.binary.package": null,
  "read.r.package.description.exception": null,
  "read.python.pkg.info.exception": null,
  "could.not.generate.manual": null,
  "could.not.extract.file": null,
  "empty.archive": null,
  "unsafe.archive.entry": null,
  "archive.multiple.roots": null,
  "archive.too.large": null,
  "unsupported.package.format": null,
  "unexpected.binary.package": null,
  "name.mismatch": null,
  "version.mismatch": null,
  "invalid.metadata": null,
  "unsupported.metadata.version": null,
  "no.suitable.maintainer.found": null,
  "repository.duplicate.name": null,
  "repository.duplicate.publicationuri": null,
  "repository.duplicate.serveraddress": null,
  "empty.publicationuri": null,
  "empty.serveraddress": null,
  "invalid.repository.name": "The name contains characters that are not allowed.",
  "error.invalid.serveraddress": invalidServerAddress,
  "repository.not.found": null,
  "empty.user": null,
  "empty.repository": null,
  "empty.package": null,
  "user.permissions.not.sufficient": "The role of this user is too low to be this kind of maintainer.",
  "package.already.maintained": "This user already maintains this package.",
  "package.has.maintainer": null,
  "repositorymaintainer.duplicate": null,
  "could.not.resolve.related.entities": "A record that this one refers to does not exist.",
  "language.not.supported": null,
  "theme.not.supported": null,
  "page.size.lower.than.one.element": null,
  "page.size.bigger.than.max.limit": null,
  "token.name.must.be.not.blank": null,
  "token.number.of.days.must.be.greater.than.0": null,
  "token.number.of.days.must.be.less.than.366": null,
  "password.too.short": null,
  "password.too.long": null,
  "password.too.common": null,
  "password.is.login": null,
  "password.wrong": null,
  "password.unchanged": null,
  "password.not.used": null,
  "access.tokens.cannot.be.soft.deleted": null,
  "deactivated.token.could.not.be.changed": "Inactive tokens cannot be changed.",
  "second.factor.none": null,
  "second.factor.name.invalid": null,
  "second.factor.too.many": null,
  "second.factor.already.added": null,
  "second.factor.passkeys.unavailable": null,
  "second.factor.not.accepted": null,
  "second.factor.enrollment.expired": null,
  "second.factor.last.required": null,
  "could.not.change.submission": "Only the state of a waiting submission can be changed.",
  "package.not.accepted": null,
  "warning.package.duplicate": null,
  "no.admin.left": null,
  "user.duplicate.login": null,
} as const satisfies Record<string, string | null>;

export type ViolationCode = keyof typeof violations;

/** What stands in `data` for a violation: its text where it has one, else the code itself. */
export const violationText = (code: ViolationCode): string => violations[code] ?? code;

/** The code behind an entry of `data`, for readers that want to translate it. */
export function violationCode(entry: string): ViolationCode | undefined {
  if (entry in violations) return entry as ViolationCode;
  const known = Object.entries(violations).find(([, sentence]) => sentence === entry);
  return known?.[0] as ViolationCode | undefined;
}
