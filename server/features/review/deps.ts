import type { Deps } from "../deps.ts";
import type { Inspections } from "./inspections/create-inspections.ts";

/** What the review depends on. Other features only request inspections. */
export interface ReviewDeps extends Deps {
  inspections: Inspections;
}
