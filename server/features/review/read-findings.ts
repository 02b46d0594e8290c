import type { Comparison } from "@packhouse/contract/review/comparison";
import type { Impact } from "@packhouse/contract/review/impact";
import type { Actor } from "../../http/actor.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { isVisible, mayRead } from "../packages/package.ts";
import { packages } from "../packages/store.ts";
import { submissions } from "../submissions/store.ts";
import { findImpact } from "./impact/find-impact.ts";
import type { InspectedPackage } from "./inspections/inspection-store.ts";

/** The other version that the caller chose, or the usual one; undefined if everything counts as added. */
export async function askedBase(
  { db, inspections }: Pick<Deps, "db" | "inspections">,
  actor: Actor,
  it: InspectedPackage,
  asked: string | undefined,
): Promise<InspectedPackage | undefined> {
  if (asked === undefined) return inspections.baseOf(it);
  if (asked === "none") return undefined;
  if (asked !== "sdist" && !/^\d{1,9}$/.test(asked)) throw new Refusal("bad.request");
  const base = asked === "sdist" ? await inspections.sourceOf(it) : await inspections.package(Number(asked));
  const row = base && base.technology === it.technology ? await packages(db).byId(base.id) : undefined;
  if (!base || !row || row.deleted || !isVisible(actor, row) || !mayRead(actor, row))
    throw new Refusal("package.notfound");
  return base;
}

interface Findings {
  comparison: Comparison | null;
  impact: Impact | null;
}

/** What is known about the file of a submission; null where the archive cannot be examined now. */
export async function readFindings(
  deps: Deps,
  actor: Actor,
  submissionId: number,
  { base: asked }: { base: string | undefined },
): Promise<Findings> {
  const row = await submissions(deps.db).byId(submissionId);
  const it = row && (await deps.inspections.package(row.id));
  if (!row || !it) return { comparison: null, impact: null };
  const base = await askedBase(deps, actor, it, asked);
  const [comparison, impact] = await Promise.all([
    deps.inspections.comparison(it, base, actor.id).catch(nothingIfRefused),
    findImpact(deps, actor, row).catch(nothingIfRefused),
  ]);
  return { comparison, impact };
}

/** Lost bytes, or workers with too much to do: the rest of the document is of use without them. */
function nothingIfRefused(error: unknown): null {
  if (error instanceof Refusal) return null;
  throw error;
}
