import { z } from "zod";
import { promised, type Received } from "./answer.ts";
import { shortened } from "./limits.ts";
import { links } from "./links.ts";
import { anyOf, anyTechnology, flag, listContract, text } from "./list-contract.ts";
import { repositoryRef, repositorySorts, submissionRef, submissionState, userRef, userSorts } from "./references.ts";
import { technology } from "./technology.ts";

/** How a package got here. */
export const packageOrigin = z.enum(["upload", "mirror"]);
export type PackageOrigin = z.infer<typeof packageOrigin>;

/** A package without its texts, as events show it. `user` is the responsible user, not the uploader. */
export const packageCore = z.object(
  promised({
    id: z.int(),
    user: userRef,
    repository: repositoryRef,
    submission: submissionRef,
    name: z.string(),
    version: z.string(),
    source: z.string(),
    active: z.boolean(),
    deleted: z.boolean(),
    technology,
    binary: z.boolean(),
  }),
);

export const packageBase = packageCore.extend({
  ...promised({
    description: z.string().nullable(),
    author: z.string().nullable(),
    title: z.string().nullable(),
    url: z.string().nullable(),
    descriptionContentType: z.string(),
  }),
  /** The name under which the file is published and downloaded. */
  fileName: z.string(),
  /** Bytes of the file. */
  size: z.int(),
  /** Whether it was uploaded here or imported by a mirror. */
  origin: packageOrigin.optional(),
  /** The name of the mirror that imported it. */
  mirror: z.string().optional(),
});

export const packageItem = packageBase.extend({ ...promised({ links }), shortened });
export type PackageItem = Received<typeof packageItem>;

const optionalText = z.string().nullable();

export const rPackageFields = z.object({
  ...promised({
    depends: optionalText,
    imports: optionalText,
    suggests: optionalText,
    systemRequirements: optionalText,
    enhances: optionalText,
    linkingTo: optionalText,
    priority: optionalText,
    maintainer: optionalText,
    license: z.string(),
    md5sum: z.string(),
    built: optionalText,
    rversion: optionalText,
    architecture: optionalText,
    distribution: optionalText,
    needsCompilation: z.enum(["yes", "no"]),
  }),
  /** Whether there is a PDF of its manual. */
  manualAvailable: z.boolean(),
  /** Why there is none although one was requested; only for those who may change the package. */
  manualFailure: z.string().optional(),
  encoding: optionalText,
});

export const pythonPackageFields = z.object({
  ...promised({
    authorEmail: optionalText,
    classifiers: optionalText,
    homePage: optionalText,
    keywords: optionalText,
    license: optionalText,
    maintainer: optionalText,
    maintainerEmail: optionalText,
    platform: optionalText,
    projectUrl: optionalText,
    providesExtra: optionalText,
    requiresDist: optionalText,
    requiresExternal: optionalText,
    requiresPython: optionalText,
    summary: optionalText,
    hash: z.string(),
  }),
  compatibilityTags: optionalText,
  builtTag: optionalText,
  pythonTag: optionalText,
  abiTag: optionalText,
  platformTag: optionalText,
});

/** Other files of the same version in the same repository: a wheel next to its sdist, a binary next to its source. */
export const otherFile = z.object({
  id: z.int(),
  fileName: z.string(),
  size: z.int(),
  binary: z.boolean(),
  /** R: the target of a binary; null otherwise. */
  rversion: optionalText,
  architecture: optionalText,
  distribution: optionalText,
});
const otherFiles = z.array(otherFile).optional();

/** Downloads of a package's file: in total, in the last 30 days including today (UTC), and on each of these days. */
export const packageDownloads = z.object({
  total: z.int(),
  last30Days: z.int(),
  perDay: z.array(z.object({ date: z.iso.date(), count: z.int() })),
});
export type PackageDownloads = z.infer<typeof packageDownloads>;
/** Only on single items. */
const single = { otherFiles, downloads: packageDownloads.optional() };
export type OtherFile = z.infer<typeof otherFile>;

/** A page or document that the authors of an R package built with it. */
export const vignette = z.object(promised({ title: z.string(), fileName: z.string() }));

export const rPackageItem = packageItem.extend(rPackageFields.shape).extend(single);
export type RPackageItem = Received<typeof rPackageItem>;

export const pythonPackageItem = packageItem.extend(pythonPackageFields.shape).extend(single);
/** A single package of either technology. */
export const singlePackageItem = packageItem.extend(single);
export type PythonPackageItem = Received<typeof pythonPackageItem>;

const filters = {
  repository: anyOf(),
  deleted: flag,
  submissionState: anyOf((value) => value.toUpperCase(), { known: submissionState.options }),
  technology: anyTechnology,
  search: text,
  maintainer: anyOf(),
  /** Names of users; packages that someone else is responsible for. */
  notMaintainedBy: anyOf(),
  /** `upload`, `mirror`. */
  origin: anyOf((value) => value.toLowerCase(), { known: packageOrigin.options }),
  /** Whether the file is a binary package; false finds sources. */
  binary: flag,
};
const technologyFilters = { ...filters, name: text };

const sorts = [
  "id",
  "user",
  "repository",
  "submission",
  "name",
  "version",
  "source",
  "active",
  "deleted",
  "technology",
  "binary",
  "description",
  "author",
  "title",
  "url",
  "descriptionContentType",
  ...userSorts,
  ...repositorySorts,
  "submission.id",
  "submission.state",
] as const;

const names = ["name", "user", "user.name", "repository", "repository.name"] as const;

/** `GET /packages` */
export const packageList = listContract({ path: "/packages", item: packageItem, filters, sorts, names });
export const rPackageList = listContract({
  path: "/r/packages",
  item: rPackageItem,
  filters: technologyFilters,
  sorts,
  names,
});
export const pythonPackageList = listContract({
  path: "/python/packages",
  item: pythonPackageItem,
  filters: technologyFilters,
  sorts,
  names,
});
