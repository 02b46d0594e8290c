import type { RepositoryRef } from "@packhouse/contract/references";
import { type RawBuilder, sql } from "kysely";

/** A repository as records refer to it, read as one column of a join. */
export const repositoryRef = (table = "repositories"): RawBuilder<RepositoryRef> => {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<RepositoryRef>`json_build_object(
    'id', ${column("id")}, 'name', ${column("name")}, 'publicationUri', ${column("publication_uri")},
    'published', ${column("published")}, 'requiresAuthentication', ${column("requires_authentication")},
    'technology', ${column("technology")}, 'lastPublicationSuccessful', ${column("last_publication_successful")})`;
};

/** The columns by which lists sort the fields of a joined repository. */
export const repositorySorts = {
  "repository.id": sql`repositories.id`,
  "repository.name": sql`repositories.name`,
  "repository.publicationUri": sql`repositories.publication_uri`,
  "repository.published": sql`repositories.published`,
  "repository.requiresAuthentication": sql`repositories.requires_authentication`,
  "repository.technology": sql`repositories.technology`,
  "repository.lastPublicationSuccessful": sql`repositories.last_publication_successful`,
};
