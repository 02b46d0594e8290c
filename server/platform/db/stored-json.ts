/**
 * A value as text for a `jsonb` column, which accepts neither NUL nor lone surrogates. The text of an escape, such as
 * `\\u0000` in the documentation of a package, is left as it is.
 */
export const storedJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "string" ? part.replaceAll("\0", "").toWellFormed() : part,
  );
