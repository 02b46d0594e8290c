import { readDocumentationTask, readVignetteTask, renderManualTask } from "../features/manuals/manual-tasks.ts";
import { documentation, manual, vignette } from "../features/manuals/read-documents.ts";
import {
  readPythonProjectsTask,
  readPythonProjectTask,
  readRIndexTask,
} from "../features/mirrors/upstream/index-tasks.ts";
import { readPythonProject, readPythonProjects } from "../features/mirrors/upstream/read-python-index.ts";
import { readRIndex } from "../features/mirrors/upstream/read-r-index.ts";
import { checkMetadata } from "../features/packages/contents/check-metadata.ts";
import { locateDependencies } from "../features/packages/contents/locate-dependencies.ts";
import {
  checkMetadataTask,
  locateDependenciesTask,
  readFactsTask,
  readPackageTask,
} from "../features/packages/contents/package-tasks.ts";
import { factsOf } from "../features/packages/contents/read-facts.ts";
import { readPackage } from "../features/packages/contents/read-package.ts";
import { computeImpact } from "../features/review/impact/compute-impact.ts";
import { computeImpactTask } from "../features/review/impact/impact-tasks.ts";
import {
  comparePackagesTask,
  inspectPackageTask,
  readDifferenceTask,
  readMemberBytesTask,
  readMemberTask,
} from "../features/review/inspections/inspection-tasks.ts";
import { applyPatchTo } from "../http/patch/apply-patch.ts";
import { applyPatchTask } from "../http/patch/patch-task.ts";
import { type Implementation, implemented } from "../platform/workers/task.ts";

/** Everything that runs in worker processes; the server itself imports none of it. */
export const tasks: ReadonlyMap<string, Implementation[1]> = new Map([
  implemented(applyPatchTask, applyPatchTo),
  implemented(checkMetadataTask, checkMetadata),
  implemented(locateDependenciesTask, locateDependencies),
  implemented(readFactsTask, factsOf),
  implemented(readPackageTask, readPackage),
  // The parsers of code are large, and most workers never need them.
  implemented(inspectPackageTask, async (input, context) =>
    (await import("../features/review/inspections/inspect-package.ts")).inspectPackage(input, context),
  ),
  implemented(comparePackagesTask, async (input, context) =>
    (await import("../features/review/inspections/compare-packages.ts")).comparePackages(input, context),
  ),
  implemented(readDifferenceTask, async (input, context) =>
    (await import("../features/review/inspections/read-difference.ts")).readDifference(input, context),
  ),
  implemented(readMemberTask, async (input, context) =>
    (await import("../features/review/inspections/read-member.ts")).readMember(input, context),
  ),
  implemented(readMemberBytesTask, async (input, context) =>
    (await import("../features/review/inspections/read-member.ts")).readMemberBytes(input, context),
  ),
  implemented(computeImpactTask, computeImpact),
  implemented(readDocumentationTask, documentation),
  implemented(readVignetteTask, vignette),
  implemented(renderManualTask, manual),
  implemented(readRIndexTask, readRIndex),
  implemented(readPythonProjectTask, readPythonProject),
  implemented(readPythonProjectsTask, readPythonProjects),
]);
