import { accessTokenBody } from "../features/access-tokens/present-access-token.ts";
import { accessTokens } from "../features/access-tokens/store.ts";
import type { Deps } from "../features/deps.ts";
import { type ResourceReaders, resourceReader } from "../features/events/related-resources.ts";
import { maintainerScopes } from "../features/maintainers/scopes.ts";
import { packageCoreBody } from "../features/packages/present-package.ts";
import { packages } from "../features/packages/store.ts";
import { repositoryBody } from "../features/repositories/present-repository.ts";
import { repositories } from "../features/repositories/store.ts";
import { submissionBody } from "../features/submissions/present-submission.ts";
import { submissions } from "../features/submissions/store.ts";
import { userBody } from "../features/users/present-user.ts";
import { users } from "../features/users/store.ts";

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
