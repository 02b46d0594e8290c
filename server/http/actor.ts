import type { Caller, Relation } from "@packhouse/contract/permissions";
import type { UserRef } from "@packhouse/contract/references";

/** The user behind a request, with the maintainer records that count for their role. */
export interface Actor extends Caller, UserRef {
  /** Repositories that the user maintains; empty unless they are a repository maintainer. */
  maintainedRepositories: ReadonlySet<number>;
  /** Packages that the user maintains, as `packageKey`s; empty unless they are a package maintainer. */
  maintainedPackages: ReadonlySet<string>;
  /** Names of the repositories that the user's role and groups do not let them read. */
  closedRepositories: readonly string[];
  /** Signed in by an access token, which may not create further tokens. */
  byAccessToken: boolean;
  /** The access token, if the user signed in by one. */
  accessTokenId?: number;
  /** The session, if the user signed in by password. */
  sessionId?: number;
}

export const packageKey = (repositoryId: number, normalizedName: string): string => `${repositoryId}/${normalizedName}`;

/** The parts of a record that decide a user's relation to it. */
export interface Placed {
  repositoryId?: number | undefined;
  normalizedName?: string | undefined;
  responsibleId?: number | undefined;
  submitterId?: number | undefined;
  /** Whose account, settings, token or maintainer record it is. */
  ownerId?: number | undefined;
}

/** What the actor is to a record, for the permission table. */
export function relationTo(actor: Actor, record: Placed): Relation {
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

/** Finds the user behind a request by its `Authorization` header; undefined without valid credentials. */
export type Authenticate = (request: {
  header: string | undefined;
  /** Of the client. */
  address: string;
}) => Promise<Actor | undefined>;

/** The same user with the rights that hold now; refuses when the account, the session or the access token has ended. */
export type ActorNow = (actor: Actor) => Promise<Actor>;
