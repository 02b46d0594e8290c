import type { Deps } from "../deps.ts";
import { resourceReader } from "../events/related-resources.ts";
import { maintainerScopes } from "./scopes.ts";

/** How events read and show maintainers of packages and of repositories. */
export function maintainerResources({ db }: Pick<Deps, "db">) {
  const { package: ofPackages, repository: ofRepositories } = maintainerScopes;
  const id = (row: { id: number }) => row.id;
  return {
    PACKAGE_MAINTAINER: resourceReader(ofPackages.store(db).ofIds, id, ofPackages.body),
    REPOSITORY_MAINTAINER: resourceReader(ofRepositories.store(db).ofIds, id, ofRepositories.body),
  };
}
