import { z } from "zod";
import { technology } from "./technology.ts";

/** A version of a package in a repository, as far as a link to it needs. */
const packageVersion = z.object({
  id: z.int(),
  name: z.string(),
  version: z.string(),
  technology,
  /** Name of the repository. */
  repository: z.string(),
});
export type PackageVersion = z.infer<typeof packageVersion>;

/**
 * `here`: the same repository has a version that fits. `elsewhere`: only another repository of this server has one.
 * `unfit`: there are versions, none of which fits. `builtIn`: comes with the language. `missing`: nowhere here.
 */
export const availability = z.enum(["here", "elsewhere", "unfit", "builtIn", "missing"]);
export type Availability = z.infer<typeof availability>;

export const dependency = z.object({
  kind: z.enum(["depends", "imports", "linkingTo", "suggests", "enhances", "requires"]),
  name: z.string(),
  constraint: z.string(),
  /** Python: when it is needed at all, such as `extra == "plot"`. */
  condition: z.string(),
  availability,
  /** The newest version that fits, else the newest of all. */
  found: packageVersion.nullable(),
});
export type DependencyItem = z.infer<typeof dependency>;

/** `GET /packages/{id}/dependencies`: what a package needs, where that is, and what needs it. */
export const packageDependencies = z.object({
  dependencies: z.array(dependency),
  /** The newest active version of each package that names this one, by repository and name; at most 200. */
  dependents: z.array(packageVersion),
  /** Which of the lists above are not there as a whole, since a package names more than is stored of it. */
  shortened: z.array(z.enum(["dependencies"])).optional(),
});
export type PackageDependencies = z.infer<typeof packageDependencies>;
