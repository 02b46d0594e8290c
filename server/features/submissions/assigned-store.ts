import { type RawBuilder, sql } from "kysely";
import type { Actor } from "../../http/actor.ts";

/**
 * Waiting submissions of others that this user may accept; the permission table's rule as SQL, on the tables
 * `submissions` and `packages`.
 */
export function assignedTo(actor: Actor): RawBuilder<boolean> {
  const responsible = sql<boolean>`packages.responsible_user_id = ${actor.id}`;
  const covered = {
    admin: sql<boolean>`true`,
    repositorymaintainer: sql<boolean>`(${responsible} or packages.repository_id = any(${[...actor.maintainedRepositories]}::integer[]))`,
    packagemaintainer: sql<boolean>`(${responsible} or packages.repository_id || '/' || packages.normalized_name = any(${[...actor.maintainedPackages]}::text[]))`,
    user: responsible,
  }[actor.role];
  return sql<boolean>`submissions.state = 'WAITING' and not packages.deleted and submissions.submitter_id <> ${actor.id} and ${covered}`;
}
