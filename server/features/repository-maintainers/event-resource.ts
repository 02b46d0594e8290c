import type { Deps } from "../deps.ts";
import { resourceReader } from "../events/related-resources.ts";
import { repositoryMaintainerBody } from "./present-repository-maintainer.ts";
import { repositoryMaintainers } from "./store.ts";

/** How events read and show repository maintainers. */
export const repositoryMaintainerResource = ({ db }: Pick<Deps, "db">) => ({
  REPOSITORY_MAINTAINER: resourceReader(repositoryMaintainers(db).ofIds, (row) => row.id, repositoryMaintainerBody),
});
