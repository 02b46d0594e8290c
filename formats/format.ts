import type { PackageFormat } from "./package-format.ts";
import { pythonFormat } from "./python/format.ts";
import { rFormat } from "./r/format.ts";

/** The formats by technology. The differences between R and Python are properties of these two values. */
export const formats: Record<PackageFormat["technology"], PackageFormat> = { R: rFormat, Python: pythonFormat };

export const formatOf = (technology: PackageFormat["technology"]): PackageFormat => formats[technology];
