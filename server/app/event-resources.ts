import { accessTokenResource } from "../features/access-tokens/event-resource.ts";
import type { Deps } from "../features/deps.ts";
import type { ResourceReaders } from "../features/events/related-resources.ts";
import { maintainerResources } from "../features/maintainers/event-resource.ts";
import { packageResource } from "../features/packages/event-resource.ts";
import { repositoryResource } from "../features/repositories/event-resource.ts";
import { submissionResource } from "../features/submissions/event-resource.ts";
import { userResource } from "../features/users/event-resource.ts";

/** Readers of the records that events refer to, from the features that own them. */
export const eventResources = (deps: Pick<Deps, "db" | "clock" | "settings">): ResourceReaders => ({
  ...packageResource(deps),
  ...repositoryResource(deps),
  ...submissionResource(deps),
  ...maintainerResources(deps),
  ...userResource(deps),
  ...accessTokenResource(deps),
});
