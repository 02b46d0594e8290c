import type { Deps } from "../deps.ts";
import { resourceReader } from "../events/related-resources.ts";
import { maintainerScopes } from "./scopes.ts";

const { package: ofPackages, repository: ofRepositories } = maintainerScopes;

/** How events read and show maintainers of packages and of repositories. */
export const maintainerResources = ({ db }: Pick<Deps, "db">) => ({
  PACKAGE_MAINTAINER: resourceReader(ofPackages.store(db).ofIds, (row) => row.id, ofPackages.body),
  REPOSITORY_MAINTAINER: resourceReader(ofRepositories.store(db).ofIds, (row) => row.id, ofRepositories.body),
});
