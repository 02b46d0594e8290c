import { readDescription } from "@packhouse/formats/r/dcf";
import { dependenciesIn } from "@packhouse/formats/r/dependencies";
import { UnacceptablePackage } from "@packhouse/formats/unacceptable-package";
import { bounded, field, type MetadataReader } from "./package-metadata.ts";
import { spdxOfR } from "./spdx.ts";

const dependencyFields = {
  depends: "Depends",
  imports: "Imports",
  linkingTo: "LinkingTo",
  suggests: "Suggests",
  enhances: "Enhances",
} as const;

const path = "DESCRIPTION";

export const rMetadata: MetadataReader = {
  isMetadata: (candidate) => candidate === path,
  named(fileName) {
    const [name = "", version = ""] = fileName.replace(/\.(tar\.gz|tgz|zip)$/i, "").split("_");
    return { name, version };
  },
  read(files) {
    const bytes = files.get(path);
    if (!bytes) throw new UnacceptablePackage(["read.r.package.description.exception"], "there is none");
    const description = readDescription(bytes);
    const fieldsOfDependencies = Object.entries(dependencyFields).map(([kind, name]) => [kind, description.get(name)]);
    const found = dependenciesIn(Object.fromEntries(fieldsOfDependencies));
    return {
      name: description.get("Package") ?? "",
      version: description.get("Version") ?? "",
      fields: [...description].map(([name, value]) => field(name, value)),
      spdx: spdxOfR(description.get("License") ?? ""),
      dependencies: bounded(
        found.flatMap(({ kind, name, constraint }) =>
          kind === "requires" ? [] : [{ field: dependencyFields[kind], name, constraint, condition: "" }],
        ),
      ),
    };
  },
};
