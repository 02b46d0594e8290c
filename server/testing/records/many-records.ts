import type { PythonMetadata, RMetadata } from "@packhouse/formats/package-file";
import { sql } from "kysely";
import type { Db } from "../../platform/db/database.ts";
import { vacuum } from "./vacuum.ts";

export interface Amounts {
  users: number;
  repositories: number;
  repositoryMaintainers: number;
  packageMaintainers: number;
  /** Each has a submission. */
  packages: number;
  events: number;
}

/** A large organization, as in the performance targets for lists. */
export const largeOrganization: Amounts = {
  users: 1000,
  repositories: 500,
  repositoryMaintainers: 5000,
  packageMaintainers: 5000,
  packages: 100_000,
  events: 1_000_000,
};

export const rMetadata: RMetadata = {
  depends: "R (>= 4.0)",
  imports: "stats, utils",
  suggests: null,
  enhances: null,
  linkingTo: null,
  priority: null,
  systemRequirements: null,
  maintainer: "Ada Fern <ada@example.org>",
  needsCompilation: "no",
  built: null,
  rversion: null,
  architecture: null,
  distribution: null,
  encoding: "UTF-8",
  bugReports: null,
  osType: null,
  licenseIsFoss: null,
  licenseRestrictsUse: null,
  archs: null,
};
export const pythonMetadata: PythonMetadata = {
  authorEmail: null,
  classifiers: null,
  homePage: null,
  keywords: null,
  maintainer: null,
  maintainerEmail: null,
  platform: null,
  projectUrl: null,
  providesExtra: null,
  requiresDist: null,
  requiresExternal: null,
  requiresPython: ">=3.9",
  summary: null,
  compatibilityTags: null,
  builtTag: null,
  pythonTag: null,
  abiTag: null,
  platformTag: null,
  coreMetadata: null,
};

/**
 * Fills the tables by SQL: the records look real to lists, filters and sorting, but their packages have no bytes.
 * Packages come in five versions each, a tenth of them not accepted; events lie within two years.
 */
export async function createManyRecords(db: Db, amounts: Amounts): Promise<void> {
  const { users, repositories, packages, events } = amounts;
  await sql`
    insert into users (login, name, email, rank, issuer, subject, created_on)
    select 'person' || n, (array['Ada','Bea','Cem','Dia','Eli','Fay','Gus','Hal'])[n % 8 + 1] || ' ' || md5(n::text)::varchar(8),
      'person' || n || '@example.org', n % 4, 'local', 'person' || n, '2024-01-01'
    from generate_series(1, ${users}) n`.execute(db);
  await sql`
    insert into repositories (name, technology, publication_uri, server_address, hash_method, redirect_to_source,
      requires_authentication, published, last_modified_on, deleted)
    select 'repository' || n, case when n % 2 = 0 then 'R' else 'Python' end, 'http://localhost/repo/repository' || n,
      'http://localhost/repo/repository' || n, 'SHA256', false, n % 10 = 0, n % 5 > 0, '2026-01-01', n % 50 = 0
    from generate_series(1, ${repositories}) n`.execute(db);
  await sql`
    create temporary table people as
      select id, rank, row_number() over (partition by rank order by id) as place from users where login like 'person%'`.execute(
    db,
  );
  await sql`
    create temporary table homes as
      select id, technology, row_number() over (order by id) as place from repositories where name like 'repository%'`.execute(
    db,
  );
  await sql`
    insert into repository_maintainers (user_id, repository_id, deleted)
    select people.id, homes.id, n % 20 = 0
    from generate_series(1, ${amounts.repositoryMaintainers}) n
    join people on people.rank = 2 and people.place = n % (select count(*) from people where rank = 2) + 1
    join homes on homes.place = (n / 10) % ${repositories} + 1
    on conflict do nothing`.execute(db);
  await sql`
    insert into package_maintainers (user_id, repository_id, package_name, normalized_name, deleted)
    select people.id, homes.id, 'package' || n, 'package' || n, n % 20 = 0
    from generate_series(1, ${amounts.packageMaintainers}) n
    join people on people.rank = 1 and people.place = n % (select count(*) from people where rank = 1) + 1
    join homes on homes.place = n % ${repositories} + 1`.execute(db);
  await sql`
    insert into packages (repository_id, technology, responsible_user_id, name, normalized_name, version, version_key,
      version_order, kind, target, file_name, digest, digests, size, title, description, description_content_type, author,
      license, metadata, active, deleted, uploaded_on)
    select homes.id, homes.technology, people.id, 'package' || n / 5, 'package' || n / 5, '1.' || n % 5, '1.' || n % 5,
      '1.' || n % 5, 'source', '', 'package' || n / 5 || '_1.' || n % 5 || '.tar.gz', md5(n::text) || md5((-n)::text),
      jsonb_build_object('md5', md5(n::text), 'sha256', md5(n::text) || md5((-n)::text)), 20000 + n,
      'Title of package ' || n / 5, repeat('What package ' || n / 5 || ' does. ', 20), 'txt', 'Author ' || n % 700,
      'GPL-3', case when homes.technology = 'R' then ${JSON.stringify(rMetadata)}::jsonb else ${JSON.stringify(pythonMetadata)}::jsonb end, n % 10 > 0, n % 25 = 0,
      '2025-01-01'::timestamptz + n * interval '1 minute'
    from generate_series(1, ${packages}) n
    join homes on homes.place = (n / 5) % ${repositories} + 1
    join people on people.rank = 1 and people.place = (n / 5) % (select count(*) from people where rank = 1) + 1`.execute(
    db,
  );
  await sql`
    insert into submissions (package_id, technology, submitter_id, approver_id, state, changes, created_on)
    select packages.id, packages.technology, submitter.id, case when packages.id % 10 > 0 then packages.responsible_user_id end,
      (case packages.id % 30 when 0 then 'WAITING' when 10 then 'REJECTED' when 20 then 'CANCELLED' else 'ACCEPTED' end),
      'changes ' || packages.id, packages.uploaded_on
    from packages join people submitter on submitter.rank = 0
      and submitter.place = packages.id % (select count(*) from people where rank = 0) + 1
    where packages.name like 'package%'`.execute(db);
  await sql`
    insert into events (occurred_on, user_id, event_type, resource_type, resource_id, technology, repository_id,
      package_id, package_name, changed_properties, description)
    select '2024-11-01'::timestamptz + n * (interval '2 years' / ${events}), people.id,
      (array['upload','update','update','create'])[n % 4 + 1],
      (array['SUBMISSION','SUBMISSION','PACKAGE','REPOSITORY'])[n % 4 + 1],
      case when n % 4 = 3 then homes.id else submissions.id end, homes.technology, homes.id,
      case when n % 4 < 3 then submissions.package_id end, case when n % 4 < 3 then 'package' || (n % ${packages}) / 5 end,
      '[{"property": "state", "valueBefore": "waiting", "valueAfter": "accepted"}]', 'Something happened.'
    from generate_series(1, ${events}) n
    join people on people.rank = n % 4 and people.place = n % (select count(*) from people where rank = 0) + 1
    join homes on homes.place = (n / 5) % ${repositories} + 1
    join submissions on submissions.id = n % ${packages} + 1`.execute(db);
  await sql`drop table people, homes`.execute(db);
  await vacuum(db);
}
