import type { Actor } from "../../http/actor.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import { isVisible, mayRead } from "../packages/package.ts";
import { packages } from "../packages/store.ts";
import type { ReviewDeps } from "./deps.ts";
import type { InspectedPackage } from "./inspections/inspection-store.ts";

/**
 * What the caller chose to compare with (`none`, `sdist`, `previous-upload`, or the id of a package of the same name, in
 * any repository), or the usual base; undefined if everything counts as added.
 */
export async function findBase(
  { db, inspections }: Pick<ReviewDeps, "db" | "inspections">,
  actor: Actor,
  it: InspectedPackage,
  asked: string | undefined,
): Promise<InspectedPackage | undefined> {
  if (asked === undefined) return inspections.baseOf(it);
  if (asked === "none") return undefined;
  if (asked === "previous-upload") {
    const previous = await inspections.previousUploadOf(it);
    if (!previous) throw new Refusal("package.notfound");
    return previous;
  }
  if (asked !== "sdist" && !/^\d{1,9}$/.test(asked)) throw new Refusal("bad.request");
  const base = asked === "sdist" ? await inspections.sourceOf(it) : await inspections.package(Number(asked));
  const sameName = base?.technology === it.technology && base.normalizedName === it.normalizedName;
  const row = sameName ? await packages(db).byId(base.id) : undefined;
  if (!base || !row || row.deleted || !isVisible(actor, row) || !mayRead(actor, row))
    throw new Refusal("package.notfound");
  return base;
}
