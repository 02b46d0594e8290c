import { z } from "zod";
import { technology } from "./technology.ts";

/** A version of a package in a repository, with what a link to it needs. */
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
 * `here`: the same repository has a matching version. `elsewhere`: only another repository of this server has one.
 * `unfit`: there are versions, but none matches. `builtIn`: comes with the language. `missing`: not on this server.
 */
export const availability = z.enum(["here", "elsewhere", "unfit", "builtIn", "missing"]);
export type Availability = z.infer<typeof availability>;

export const dependency = z.object({
  kind: z.enum(["depends", "imports", "linkingTo", "suggests", "enhances", "requires"]),
  name: z.string(),
  constraint: z.string(),
  /** Python: the condition under which it is needed, such as `extra == "plot"`. */
  condition: z.string(),
  availability,
  /** The newest matching version, or the newest of all if none matches. */
  found: packageVersion.nullable(),
});
export type DependencyItem = z.infer<typeof dependency>;

/** `GET /packages/{id}/dependencies`: what a package needs, where to find it, and what depends on the package. */
export const packageDependencies = z.object({
  dependencies: z.array(dependency),
  /** The newest active version of each package that depends on this one, by repository and name; at most 200. */
  dependents: z.array(packageVersion),
  /** Which of the lists above are incomplete because the package declares more than is stored. */
  shortened: z.array(z.enum(["dependencies"])).optional(),
});
export type PackageDependencies = z.infer<typeof packageDependencies>;
