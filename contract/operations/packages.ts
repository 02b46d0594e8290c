import type { z } from "zod";
import type { AnyList } from "../list-contract.ts";
import type { MessageCode } from "../messages.ts";
import { download, edit, list, purge, read } from "../operation.ts";
import {
  packageList,
  pythonPackageItem,
  pythonPackageList,
  rPackageItem,
  rPackageList,
  singlePackageItem,
} from "../packages.ts";
import { type Technology, technologyPath, technologyWithArticle } from "../technology.ts";

export const listPackages = list(packageList, {
  permission: "readPackages",
  summary: "Packages of both technologies",
});
export const readPackage = read("/packages/:id", {
  permission: "readPackages",
  summary: "A package of either technology",
  data: singlePackageItem,
  codes: ["package.notfound"],
});
const changeCodes = ["package.notfound", "deleting.packages.disabled"] as const satisfies readonly MessageCode[];

/* @__NO_SIDE_EFFECTS__ */
function packagesOf<const T extends Technology, const L extends AnyList, Item extends z.ZodType>(
  technology: T,
  { of, item, files }: { of: L; item: Item; files: { summary: string; types: readonly string[] } },
) {
  const path = technologyPath[technology];
  const one = `${technologyWithArticle[technology]} package`;
  return {
    list: list(of, { permission: "readPackages", summary: `${technology} packages` }),
    read: read(`/${path}/packages/:id`, {
      permission: "readPackages",
      summary: `One ${technology} package`,
      data: item,
      codes: ["package.notfound"],
    }),
    edit: edit(`/${path}/packages/:id`, {
      permission: "editPackage",
      summary: `Activate, deactivate, delete or restore ${one}`,
      data: item,
      codes: [...changeCodes, "editing.deleted.resource.not.possible"],
    }),
    purge: purge(`/${path}/packages/:id`, {
      permission: "purgePackage",
      summary: `Remove a deleted ${technology} package permanently`,
      codes: changeCodes,
    }),
    download: download(`/${path}/packages/:id/download/:file`, {
      permission: "readPackages",
      summary: files.summary,
      file: files.types,
      codes: ["package.notfound"],
    }),
  };
}

/** The operations on packages of one technology. */
export const packageOf = {
  R: packagesOf("R", {
    of: rPackageList,
    item: rPackageItem,
    files: { summary: "The archive of an R package", types: ["application/gzip"] },
  }),
  Python: packagesOf("Python", {
    of: pythonPackageList,
    item: pythonPackageItem,
    files: { summary: "The file of a Python package", types: ["application/gzip", "application/zip"] },
  }),
};

export const packageOperations = [
  listPackages,
  readPackage,
  ...Object.values(packageOf.R),
  ...Object.values(packageOf.Python),
];
