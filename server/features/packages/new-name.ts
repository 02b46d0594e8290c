import type { MirrorClash } from "@packhouse/contract/mirrors";
import type { ViolationCode } from "@packhouse/contract/violations";
import { Refusal } from "../../platform/errors/refusal.ts";
import { nameKey } from "../../platform/names/confusables.ts";
import { looksLike } from "../../platform/names/lookalikes.ts";
import { clash, type OfferingMirror } from "./origin.ts";

/** An existing name that looks like a new one. */
export interface Lookalike {
  name: string;
  normalizedName: string;
  mirror: string | null;
}

type LookalikeCode = Extract<ViolationCode, "name.differs.only.in.case" | "name.confusable">;

/** CRAN refuses names that differ only in case: some file systems, and users, take them for the same. */
const lookalikeCode = (normalizedName: string, like: Lookalike): LookalikeCode =>
  nameKey(normalizedName) === nameKey(like.normalizedName) ? "name.differs.only.in.case" : "name.confusable";

/** Refuses a new name that users would take for an existing one. */
export async function checkNewName(
  store: { lookalikeOf(repositoryId: number, normalizedName: string): Promise<Lookalike | undefined> },
  repositoryId: number,
  normalizedName: string,
): Promise<void> {
  refuseLookalike(normalizedName, await store.lookalikeOf(repositoryId, normalizedName));
}

/** The same for a name whose lookalike is known. */
export function refuseLookalike(normalizedName: string, like: Lookalike | undefined): void {
  if (like) throw new Refusal("error.validation", [`${lookalikeCode(normalizedName, like)}: ${like.name}`]);
}

/** The first of some accepted names that looks like a new one; none does when the very name is among them. */
export function lookalikeAmong(accepted: readonly Lookalike[], normalizedName: string): Lookalike | undefined {
  if (accepted.some((it) => it.normalizedName === normalizedName)) return undefined;
  return accepted.find((it) => looksLike(it.normalizedName, normalizedName));
}

/** A mirror may fetch similar names if both are its own; it must not imitate names of others. */
export const isKeptFrom = (like: Lookalike, mirror: OfferingMirror): boolean =>
  like.mirror !== mirror.name && (like.mirror === null || mirror.declared.includes(like.mirror));

export const lookalikeClash = (
  file: { name: string; normalizedName: string; version: string },
  like: Lookalike,
  taken = false,
): MirrorClash => clash(file, lookalikeCode(file.normalizedName, like), like.name, taken);
