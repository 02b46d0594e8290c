import { z } from "zod";
import { packageDependencies } from "../dependencies.ts";
import { download, read } from "../operation.ts";
import { vignette } from "../packages.ts";

export const readDependencies = read("/packages/:id/dependencies", {
  permission: "readPackages",
  summary: "Dependencies of a package, where this server has them, and its dependents",
  data: packageDependencies,
  codes: ["package.notfound", "error.validation"],
});

export const downloadManual = download("/r/packages/:id/manual", {
  permission: "readPackages",
  summary: "The reference manual of an R package as PDF, if it was built",
  file: ["application/pdf"],
  codes: ["package.notfound", "error.manual.not.found", "package.get.reference.manual"],
});
export const downloadHtmlManual = download("/r/packages/:id/manual.html", {
  permission: "readPackages",
  summary: "The reference manual of an R package as an HTML page, rendered from its Rd files",
  file: ["text/html"],
  codes: ["package.notfound", "error.manual.not.found", "error.validation", "package.get.reference.manual"],
});
export const listVignettes = read("/r/packages/:id/vignettes", {
  permission: "readPackages",
  summary: "The vignettes of an R package",
  data: z.array(vignette),
  codes: ["package.notfound"],
});
export const downloadVignette = download("/r/packages/:id/vignettes/:file", {
  permission: "readPackages",
  summary: "A vignette of an R package",
  file: ["text/html", "application/pdf"],
  codes: ["package.notfound", "error.vignette.not.found", "error.validation", "error.download.vignette"],
});

export const packageContentOperations = [
  readDependencies,
  downloadManual,
  downloadHtmlManual,
  listVignettes,
  downloadVignette,
] as const;
