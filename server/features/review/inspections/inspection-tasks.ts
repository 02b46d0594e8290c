import { task } from "../../../platform/workers/task.ts";
import type { comparePackages } from "./compare-packages.ts";
import type { inspectPackage } from "./inspect-package.ts";
import type { readDifference } from "./read-difference.ts";
import type { readMember, readMemberBytes } from "./read-member.ts";

export const inspectPackageTask = task<typeof inspectPackage>("inspect-package", "inspections");
export const comparePackagesTask = task<typeof comparePackages>("compare-packages", "inspections");
export const readDifferenceTask = task<typeof readDifference>("read-difference", "documents");
export const readMemberTask = task<typeof readMember>("read-member", "documents");
export const readMemberBytesTask = task<typeof readMemberBytes>("read-member-bytes", "documents");
