import { accessTokenBody } from "./access-tokens/present-access-token.ts";
import { accessTokens } from "./access-tokens/store.ts";
import type { Deps } from "./deps.ts";
import { type ResourceReaders, resourceReader } from "./events/related-resources.ts";
import { packageMaintainerBody } from "./package-maintainers/present-package-maintainer.ts";
import { packageMaintainers } from "./package-maintainers/store.ts";
import { packageCoreBody } from "./packages/present-package.ts";
import { packages } from "./packages/store.ts";
import { repositoryBody } from "./repositories/present-repository.ts";
import { repositories } from "./repositories/store.ts";
import { repositoryMaintainerBody } from "./repository-maintainers/present-repository-maintainer.ts";
import { repositoryMaintainers } from "./repository-maintainers/store.ts";
import { submissionBody } from "./submissions/present-submission.ts";
import { submissions } from "./submissions/store.ts";
import { userBody } from "./users/present-user.ts";
import { users } from "./users/store.ts";

/** The records that events can be about: handed to the event log, which knows no other feature. */
export function eventResources({ db, clock, settings }: Pick<Deps, "db" | "clock" | "settings">): ResourceReaders {
  const id = (row: { id: number }) => row.id;
  return {
    PACKAGE: resourceReader(packages(db).ofIds, id, packageCoreBody),
    REPOSITORY: resourceReader(repositories(db).ofIds, id, (row) => repositoryBody(row, settings)),
    SUBMISSION: resourceReader(submissions(db).ofIds, (row) => row.submission_id, submissionBody),
    PACKAGE_MAINTAINER: resourceReader(packageMaintainers(db).ofIds, id, packageMaintainerBody),
    REPOSITORY_MAINTAINER: resourceReader(repositoryMaintainers(db).ofIds, id, repositoryMaintainerBody),
    USER: resourceReader(users(db).ofIds, id, userBody),
    ACCESS_TOKEN: resourceReader(accessTokens(db).ofIds, id, (row) => accessTokenBody(row, clock())),
  };
}
