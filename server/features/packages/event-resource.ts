import type { Deps } from "../deps.ts";
import { resourceReader } from "../events/related-resources.ts";
import { packageCoreBody } from "./present-package.ts";
import { packages } from "./store.ts";

/** How events read and show packages. */
export const packageResource = ({ db }: Pick<Deps, "db">) => ({
  PACKAGE: resourceReader(packages(db).ofIds, (row) => row.id, packageCoreBody),
});
