import type { PackageItem } from "@packhouse/contract/packages";
import { inRepository } from "../../list/in-repository.ts";

/** A package in a sentence: "A3 0.9.2 in testrepo3". */
export const packageLabel = ({
  name,
  version,
  repository,
}: Pick<PackageItem, "name" | "version" | "repository">): string => inRepository(`${name} ${version}`, repository);
