import type { Deps } from "../deps.ts";
import { resourceReader } from "../events/related-resources.ts";
import { repositoryBody } from "./present-repository.ts";
import { repositories } from "./store.ts";

/** How events read and show repositories. */
export const repositoryResource = ({ db, settings }: Pick<Deps, "db" | "settings">) => ({
  REPOSITORY: resourceReader(
    repositories(db).ofIds,
    (row) => row.id,
    (row) => repositoryBody(row, settings),
  ),
});
