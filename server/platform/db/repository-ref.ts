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
