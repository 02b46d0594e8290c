import { accessTokenBody } from "./access-tokens/present-access-token.ts";
import { accessTokens } from "./access-tokens/store.ts";
import type { Deps } from "./deps.ts";
import { type ResourceReaders, resourceReader } from "./events/related-resources.ts";
import { maintainerScopes } from "./maintainers/scopes.ts";
import { packageCoreBody } from "./packages/present-package.ts";
import { packages } from "./packages/store.ts";
import { repositoryBody } from "./repositories/present-repository.ts";
import { repositories } from "./repositories/store.ts";
import { submissionBody } from "./submissions/present-submission.ts";
import { submissions } from "./submissions/store.ts";
import { userBody } from "./users/present-user.ts";
import { users } from "./users/store.ts";

/** The records that events can be about: handed to the event log, which knows no other feature. */
export function eventResources({ db, clock, settings }: Pick<Deps, "db" | "clock" | "settings">): ResourceReaders {
  const id = (row: { id: number }) => row.id;
  const { package: ofPackages, repository: ofRepositories } = maintainerScopes;
  return {
    PACKAGE: resourceReader(packages(db).ofIds, id, packageCoreBody),
    REPOSITORY: resourceReader(repositories(db).ofIds, id, (row) => repositoryBody(row, settings)),
    SUBMISSION: resourceReader(submissions(db).ofIds, (row) => row.submission_id, submissionBody),
    PACKAGE_MAINTAINER: resourceReader(ofPackages.store(db).ofIds, id, ofPackages.body),
    REPOSITORY_MAINTAINER: resourceReader(ofRepositories.store(db).ofIds, id, ofRepositories.body),
    USER: resourceReader(users(db).ofIds, id, userBody),
    ACCESS_TOKEN: resourceReader(accessTokens(db).ofIds, id, (row) => accessTokenBody(row, clock())),
  };
}
