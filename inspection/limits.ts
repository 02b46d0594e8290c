const mebibyte = 1024 * 1024;

/** What one inspection may cost. What is beyond a limit is listed as not examined; nothing throws. */
export interface InspectionLimits {
  milliseconds: number;
  /** All members together, unpacked. */
  unpackedBytes: number;
  /** Files that are listed. */
  files: number;
  /** A text that is examined line by line, and a file of R data. */
  textBytes: number;
  /** A file of code, whose syntax tree takes about thirty times as much memory. */
  codeBytes: number;
  /** All code: what is found in it takes more memory than the code itself. */
  allCodeBytes: number;
  /** All texts that are kept until the end. */
  keptBytes: number;
  /** Signals that are listed. */
  signals: number;
  /** Entries of the interface that are listed. */
  interfaceEntries: number;
}

export const inspectionLimits: InspectionLimits = {
  milliseconds: 30_000,
  unpackedBytes: 2048 * mebibyte,
  files: 20_000,
  textBytes: 16 * mebibyte,
  codeBytes: mebibyte / 2,
  allCodeBytes: 32 * mebibyte,
  keptBytes: 16 * mebibyte,
  signals: 2_000,
  interfaceEntries: 20_000,
};

/** Paths that a reason for an incomplete inspection names. */
export const mostPathsNamed = 20;
