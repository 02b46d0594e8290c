import type { ResourceType } from "@packhouse/contract/events";
import { accessTokenBody } from "../access-tokens/present-access-token.ts";
import { accessTokens } from "../access-tokens/store.ts";
import type { Deps } from "../deps.ts";
import { packageMaintainerBody } from "../package-maintainers/present-package-maintainer.ts";
import { packageMaintainers } from "../package-maintainers/store.ts";
import { packageCoreBody } from "../packages/present-package.ts";
import { packages } from "../packages/store.ts";
import { repositoryBody } from "../repositories/present-repository.ts";
import { repositories } from "../repositories/store.ts";
import { repositoryMaintainerBody } from "../repository-maintainers/present-repository-maintainer.ts";
import { repositoryMaintainers } from "../repository-maintainers/store.ts";
import { submissionBody } from "../submissions/present-submission.ts";
import { submissions } from "../submissions/store.ts";
import { userBody } from "../users/present-user.ts";
import { users } from "../users/store.ts";
import type { Event } from "./store.ts";

/** What events are about, as it is now, by `resourceKey`. Of what is gone for good only the id is left. */
export type RelatedResources = ReadonlyMap<string, Record<string, unknown>>;

export const resourceKey = (event: Pick<Event, "resource_type" | "resource_id">): string =>
  `${event.resource_type}/${event.resource_id}`;

/** Loads the resources of a page of events: one statement for each type on it, whatever the number of events. */
export async function loadRelated({ db, clock }: Deps, events: readonly Event[]): Promise<RelatedResources> {
  const idsOf = (type: ResourceType) => [
    ...new Set(events.filter((event) => event.resource_type === type).map((event) => event.resource_id)),
  ];
  const found = new Map<string, Record<string, unknown>>();
  const load = async <Row>(
    type: ResourceType,
    read: (ids: number[]) => Promise<Row[]>,
    idOf: (row: Row) => number,
    body: (row: Row) => Record<string, unknown>,
  ) => {
    const ids = idsOf(type);
    if (ids.length === 0) return;
    for (const row of await read(ids)) found.set(`${type}/${idOf(row)}`, body(row));
  };
  await Promise.all([
    load(
      "PACKAGE",
      (ids) => packages(db).byIds(ids),
      (row) => row.id,
      packageCoreBody,
    ),
    load(
      "REPOSITORY",
      (ids) => repositories(db).byIds(ids),
      (row) => row.id,
      repositoryBody,
    ),
    load(
      "SUBMISSION",
      (ids) => submissions(db).byIds(ids),
      (row) => row.submission_id,
      submissionBody,
    ),
    load(
      "USER",
      (ids) => users(db).byIds(ids),
      (row) => row.id,
      userBody,
    ),
    load(
      "PACKAGE_MAINTAINER",
      (ids) => packageMaintainers(db).byIds(ids),
      (row) => row.id,
      packageMaintainerBody,
    ),
    load(
      "REPOSITORY_MAINTAINER",
      (ids) => repositoryMaintainers(db).byIds(ids),
      (row) => row.id,
      repositoryMaintainerBody,
    ),
    load(
      "ACCESS_TOKEN",
      (ids) => accessTokens(db).byIds(ids),
      (row) => row.id,
      (row) => accessTokenBody(row, clock()),
    ),
  ]);
  return found;
}
