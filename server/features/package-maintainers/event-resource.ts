import type { Deps } from "../deps.ts";
import { resourceReader } from "../events/related-resources.ts";
import { packageMaintainerBody } from "./present-package-maintainer.ts";
import { packageMaintainers } from "./store.ts";

/** How events read and show package maintainers. */
export const packageMaintainerResource = ({ db }: Pick<Deps, "db">) => ({
  PACKAGE_MAINTAINER: resourceReader(packageMaintainers(db).ofIds, (row) => row.id, packageMaintainerBody),
});
