/** A discrepancy. */
export interface Finding {
  /** Its kind, for scripts. */
  kind: FindingKind;
  /** Which record, object or repository. */
  where: string;
  /** What is wrong, in one sentence. */
  what: string;
  /** What repair does about it, has done, or what an operator has to do. */
  remedy: string;
  /** It was repaired, and will not be found again. */
  repaired: boolean;
}

export type FindingKind =
  | "bytes-lost"
  | "bytes-damaged"
  | "bytes-without-row"
  | "row-without-bytes"
  | "record-wrong"
  | "block-lost"
  | "block-damaged"
  | "index-wrong"
  | "index-behind"
  | "counts-wrong";

/** Receives each finding as it is made: there may be many. */
export type Report = (finding: Finding) => void;
