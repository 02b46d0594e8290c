/** Used both for the whole request and for the single field. */
export const invalidServerAddress = "This is not a valid address of a repository server.";

/** Violations that clients expect as a sentence instead of their code. */
export const violationSentences = {
  "invalid.repository.name": "The name contains characters that are not allowed.",
  "invalid.reserved.name":
    "A reserved name can have letters, digits, dots, hyphens, underscores and * for any characters.",
  "error.invalid.serveraddress": invalidServerAddress,
  "user.permissions.not.sufficient": "This user's role is too low for this kind of maintainer.",
  "package.already.maintained": "This user already maintains this package.",
  "could.not.resolve.related.entities": "A record that this one refers to does not exist.",
  "deactivated.token.could.not.be.changed": "Inactive tokens cannot be changed.",
  "could.not.change.submission": "Only the state of a waiting submission can be changed.",
} as const satisfies Record<string, string>;

/** The code of a sentence in `data`, for clients that translate it. */
export function codeOfSentence(entry: string): keyof typeof violationSentences | undefined {
  const known = Object.entries(violationSentences).find(([, sentence]) => sentence === entry);
  return known?.[0] as keyof typeof violationSentences | undefined;
}
