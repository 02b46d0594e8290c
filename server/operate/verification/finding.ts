/** Something that is not as it should be. */
export interface Finding {
  /** What kind of thing it is; scripts tell findings apart by it. */
  kind: FindingKind;
  /** Which record, object or repository. */
  where: string;
  /** What is wrong, in a sentence. */
  what: string;
  /** What repair does about it, has done, or what a person has to do. */
  remedy: string;
  /** It was put right, and will not be found again. */
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
  | "index-behind";

/** Told of each finding as it is made: they may be many. */
export type Report = (finding: Finding) => void;
