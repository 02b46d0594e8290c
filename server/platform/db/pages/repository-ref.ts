import type { RepositoryRef } from "@packhouse/contract/references";
import { technology } from "@packhouse/contract/technology";
import { type RawBuilder, sql } from "kysely";
import { always, ofFew } from "./sort-columns.ts";

/** A repository as records refer to it, read as one column of a join. */
export const repositoryRef = (table = "repositories"): RawBuilder<RepositoryRef> => {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<RepositoryRef>`json_build_object(
    'id', ${column("id")}, 'name', ${column("name")}, 'publicationUri', ${column("publication_uri")},
    'published', ${column("published")}, 'requiresAuthentication', ${column("requires_authentication")},
    'technology', ${column("technology")}, 'lastPublicationSuccessful', ${column("last_publication_successful")})`;
};

/**
 * Packages of repositories with these names. For a single one it is a comparison, so that an index by repository also
 * gives the order; and either way, the table of the repositories is only read for their ids.
 */
export const inRepositories = (names: readonly string[]): RawBuilder<boolean> =>
  names.length === 1
    ? sql`packages.repository_id = (select id from repositories where name = ${names[0]})`
    : sql`packages.repository_id = any(array(select id from repositories where name = any(${names})))`;

/** The columns by which lists sort the fields of a joined repository. */
export const repositorySorts = {
  "repository.id": always(sql`repositories.id`),
  "repository.name": always(sql`repositories.name`),
  "repository.publicationUri": always(sql`repositories.publication_uri`),
  "repository.published": ofFew(sql`repositories.published`, [false, true]),
  "repository.requiresAuthentication": ofFew(sql`repositories.requires_authentication`, [false, true]),
  "repository.technology": ofFew(sql`repositories.technology`, technology.options),
  "repository.lastPublicationSuccessful": ofFew(sql`repositories.last_publication_successful`, [false, true]),
};
