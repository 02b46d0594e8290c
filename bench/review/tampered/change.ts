/** What a tampered release changes: new texts or bytes by path, or what becomes of the text that is there. */
export type Change = Readonly<Record<string, string | Uint8Array | ((text: string) => string)>>;

export interface Pattern {
  change: Change;
  /** The kinds of archive that can have it; both if missing. */
  only?: "source" | "binary";
}

export const add =
  (text: string) =>
  (old: string): string =>
    `${old}${text}`;

export const prepend =
  (text: string) =>
  (old: string): string =>
    `${text}${old}`;

export const replace =
  (what: string | RegExp, by: string) =>
  (old: string): string => {
    const changed = old.replace(what, by);
    return changed === old ? `${old}${by}` : changed;
  };

/** Bytes that begin as a program does and contain nothing. */
export const program = Buffer.concat([Buffer.from("7f454c460201010000", "hex"), Buffer.alloc(4096, 7)]);

/** Looks encoded and is nothing. */
export const base64 = Buffer.from("print('harmless imitation of an incident')".repeat(20)).toString("base64");

/** Code at the end of a file. */
export const inFile = (path: string, text: string, only?: Pattern["only"]): Pattern => ({
  change: { [path]: add(`\n${text}\n`) },
  ...(only ? { only } : {}),
});
