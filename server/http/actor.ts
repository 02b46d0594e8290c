import type { Caller, Standing } from "@packhouse/contract/permissions";
import type { UserRef } from "@packhouse/contract/references";

/** The person behind a request, with the maintainer records that count for his role. */
export interface Actor extends Caller, UserRef {
  /** Repositories that he maintains; empty unless he is a repository maintainer. */
  maintainedRepositories: ReadonlySet<number>;
  /** Packages that he maintains, as `packageKey`s; empty unless he is a package maintainer. */
  maintainedPackages: ReadonlySet<string>;
  /** Names of the repositories that his role and groups do not let him read. */
  closedRepositories: readonly string[];
  /** He signed in by an access token, which may not make further tokens. */
  byAccessToken: boolean;
  /** The session by which this person signed in with a password. */
  sessionId?: number;
}

export const packageKey = (repositoryId: number, normalizedName: string): string => `${repositoryId}/${normalizedName}`;

/** The parts of a record that decide how somebody stands to it. */
export interface Placed {
  repositoryId?: number | undefined;
  normalizedName?: string | undefined;
  responsibleId?: number | undefined;
  submitterId?: number | undefined;
  /** Whose account, settings, token or maintainer record it is. */
  ownerId?: number | undefined;
}

/** What the actor is to a record, for the permission table. */
export function standingTo(actor: Actor, record: Placed): Standing {
  const { repositoryId, normalizedName } = record;
  return {
    self: record.ownerId === actor.id,
    submitter: record.submitterId === actor.id,
    responsible: record.responsibleId === actor.id,
    maintainsRepository: repositoryId !== undefined && actor.maintainedRepositories.has(repositoryId),
    maintainsPackage:
      repositoryId !== undefined &&
      normalizedName !== undefined &&
      actor.maintainedPackages.has(packageKey(repositoryId, normalizedName)),
  };
}

/** Finds the person behind a request by its `Authorization` header; undefined when that proves nothing. */
export type Authenticate = (request: {
  header: string | undefined;
  /** Of the client. */
  address: string;
}) => Promise<Actor | undefined>;
