import { task } from "../../../platform/workers/task.ts";
import type { checkMetadata } from "./check-metadata.ts";
import type { locateDependencies } from "./locate-dependencies.ts";
import type { factsOf } from "./read-facts.ts";
import type { readPackage } from "./read-package.ts";

export const checkMetadataTask = task<typeof checkMetadata>("check-metadata", "requests");
export const locateDependenciesTask = task<typeof locateDependencies>("locate-dependencies", "documents");
export const readFactsTask = task<typeof factsOf>("read-facts", "archives");
export const readPackageTask = task<typeof readPackage>("read-package", "archives");
