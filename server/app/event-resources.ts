import { accessTokenBody } from "../features/access-tokens/present-access-token.ts";
import { accessTokens } from "../features/access-tokens/store.ts";
import type { Deps } from "../features/deps.ts";
import { type ResourceReaders, resourceReader } from "../features/events/related-resources.ts";
import { packageMaintainerBody } from "../features/package-maintainers/present-package-maintainer.ts";
import { packageMaintainers } from "../features/package-maintainers/store.ts";
import { packageCoreBody } from "../features/packages/present-package.ts";
import { packages } from "../features/packages/store.ts";
import { repositoryBody } from "../features/repositories/present-repository.ts";
import { repositories } from "../features/repositories/store.ts";
import { repositoryMaintainerBody } from "../features/repository-maintainers/present-repository-maintainer.ts";
import { repositoryMaintainers } from "../features/repository-maintainers/store.ts";
import { submissionBody } from "../features/submissions/present-submission.ts";
import { submissions } from "../features/submissions/store.ts";
import { userBody } from "../features/users/present-user.ts";
import { users } from "../features/users/store.ts";

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
