import { sql } from "kysely";
import type { Placed } from "../../http/actor.ts";
import type { Db } from "../../platform/db/database.ts";

/** The waiting files of one release, and who they belong to. */
export interface WaitingRelease {
  /** What decides who may install it: its submitter, and users who may edit the package. */
  place: Placed;
  normalizedName: string;
  /** Ids of its packages, and of those that they replace. */
  added: number[];
  replaced: number[];
}

export const previewStore = (db: Db) => ({
  /** Undefined once it is decided. */
  async waitingRelease(repositoryId: number, submissionId: number): Promise<WaitingRelease | undefined> {
    const { rows } = await sql<Row>`
      select own.normalized_name as "normalizedName", own.responsible_user_id as "responsibleId",
        submissions.submitter_id as "submitterId",
        (select json_agg(json_build_object('id', file.id, 'replacesId', file.replaces_id) order by file.id)
          from packages as file join submissions as its on its.package_id = file.id
          where file.repository_id = own.repository_id and file.normalized_name = own.normalized_name
            and file.version_key = own.version_key and its.state = 'WAITING' and not file.deleted
            and its.submitter_id = submissions.submitter_id) as files
      from submissions join packages as own on own.id = submissions.package_id
      where submissions.id = ${submissionId} and own.repository_id = ${repositoryId}
        and submissions.state = 'WAITING' and not own.deleted`.execute(db);
    const [row] = rows;
    if (!row) return undefined;
    const { normalizedName, responsibleId, submitterId, files } = row;
    return {
      place: { repositoryId, normalizedName, responsibleId, submitterId },
      normalizedName,
      added: files.map(({ id }) => id),
      replaced: files.flatMap(({ replacesId }) => replacesId ?? []),
    };
  },

  /** What the index of a repository depends on. */
  renderedAs: (repositoryId: number) =>
    db
      .selectFrom("repositories")
      .select(["hash_method as hashMethod", "redirect_to_source as redirectToSource"])
      .where("id", "=", repositoryId)
      .executeTakeFirst(),
});

interface Row {
  normalizedName: string;
  responsibleId: number;
  submitterId: number;
  files: { id: number; replacesId: number | null }[];
}
