import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../platform/db/database.ts";

/** Chooses again for the packages of a repository (of one name, or all), in one statement. */
export async function rechooseResponsible(
  tx: Tx,
  repositoryId: number | "everywhere",
  normalizedName?: string,
): Promise<void> {
  await sql`
    update packages set responsible_user_id = chosen.user_id
    from (
      select id, ${responsibleUser(sql`packages.repository_id`, sql`packages.normalized_name`)} as user_id
      from packages
      where not deleted
        and ${repositoryId === "everywhere" ? sql`true` : sql`repository_id = ${repositoryId}`}
        and ${normalizedName === undefined ? sql`true` : sql`normalized_name = ${normalizedName}`}
    ) as chosen
    where packages.id = chosen.id and chosen.user_id is not null
      and packages.responsible_user_id <> chosen.user_id`.execute(tx);
}

/**
 * The user responsible for a package: the first active package maintainer of its name, else the first active maintainer
 * of its repository, else the first active administrator. "First" is the lowest record id.
 */
export const responsibleUser = (
  repositoryId: RawBuilder<unknown>,
  normalizedName: RawBuilder<unknown>,
): RawBuilder<number | null> => sql`coalesce(
  (select m.user_id from package_maintainers m join users u on u.id = m.user_id
   where m.repository_id = ${repositoryId} and m.normalized_name = ${normalizedName}
     and not m.deleted and u.active and not u.deleted order by m.id limit 1),
  (select m.user_id from repository_maintainers m join users u on u.id = m.user_id
   where m.repository_id = ${repositoryId} and not m.deleted and u.active and not u.deleted order by m.id limit 1),
  (select u.id from users u where u.rank = 3 and u.active and not u.deleted order by u.id limit 1))`;
