import { sql } from "kysely";

/** Whether copies of a row of `repositories` are still to be written or emptied. */
export const copiesUnderWay = sql<boolean>`exists (
  select from repository_copies as copy where copy.repository_id = repositories.id
    and (wanted and copy.serial < repositories.rendered_serial or not wanted and failures = 0))`;
