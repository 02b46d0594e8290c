import { type Kysely, sql } from "kysely";

/**
 * The records of the product: people, repositories, packages with their submissions, maintainers, tokens, events.
 *
 * Text is compared by code point (collation "C"), as the API sorts it, whatever the cluster's own collation is.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db);

  await sql`
    create table users (
      id integer generated always as identity primary key,
      login text collate "C" not null,
      name text collate "C" not null,
      email text collate "C" not null,
      rank smallint not null check (rank between 0 and 3),
      active boolean not null default true,
      deleted boolean not null default false,
      deletion_id uuid,
      issuer text not null,
      subject text not null,
      password_hash text,
      session_epoch integer not null default 0,
      created_on timestamptz not null,
      last_signed_in_on timestamptz,
      previous_signed_in_on timestamptz,
      expires_on timestamptz,
      unique (issuer, subject)
    )`.execute(db);
  await sql`create unique index users_login on users (login) where not deleted`.execute(db);
  await sql`create index users_name on users (name, id)`.execute(db);

  await sql`
    create table user_settings (
      id integer generated always as identity primary key,
      user_id integer not null unique references users on delete cascade,
      language text not null,
      theme text not null,
      page_size integer not null
    )`.execute(db);

  await sql`
    create table repositories (
      id integer generated always as identity primary key,
      name text collate "C" not null unique,
      technology text collate "C" not null check (technology in ('R', 'Python')),
      version integer not null default 0,
      publication_uri text collate "C" not null unique,
      server_address text collate "C" not null,
      hash_method text not null,
      redirect_to_source boolean not null,
      requires_authentication boolean not null,
      published boolean not null,
      deleted boolean not null default false,
      deletion_id uuid,
      last_modified_on timestamptz not null,
      last_publication_on timestamptz,
      last_publication_successful boolean not null default false,
      serial integer not null default 0,
      rendered_serial integer not null default 0,
      unique (technology, server_address)
    )`.execute(db);

  await sql`
    create table packages (
      id integer generated always as identity primary key,
      repository_id integer not null references repositories on delete cascade,
      technology text collate "C" not null,
      responsible_user_id integer not null references users,
      name text collate "C" not null,
      normalized_name text collate "C" not null,
      version text collate "C" not null,
      version_key text collate "C" not null,
      version_order text collate "C" not null,
      kind text not null check (kind in ('source', 'binary')),
      target text collate "C" not null,
      file_name text collate "C" not null,
      digest text collate "C" not null,
      digests jsonb not null,
      size bigint not null,
      title text collate "C",
      description text collate "C",
      description_content_type text collate "C" not null,
      author text collate "C",
      url text collate "C",
      license text collate "C",
      metadata jsonb not null,
      active boolean not null,
      deleted boolean not null default false,
      deletion_id uuid,
      replaces_id integer references packages on delete set null,
      uploaded_on timestamptz not null
    )`.execute(db);
  // One live record for each identity, plus at most one waiting replacement.
  await sql`
    create unique index packages_identity
    on packages (repository_id, normalized_name, version_key, kind, target)
    where not deleted and replaces_id is null`.execute(db);
  await sql`
    create unique index packages_waiting_replacement
    on packages (repository_id, normalized_name, version_key, kind, target)
    where not deleted and replaces_id is not null`.execute(db);
  await sql`create index packages_name on packages (name, version_order desc, id)`.execute(db);
  await sql`create index packages_public on packages (repository_id, normalized_name, version_order) where active and not deleted`.execute(
    db,
  );
  await sql`create index packages_name_search on packages using gin (lower(name) gin_trgm_ops)`.execute(db);
  await sql`create index packages_digest on packages (digest)`.execute(db);
  await sql`create index packages_responsible on packages (responsible_user_id)`.execute(db);
  await sql`create index packages_replaces on packages (replaces_id) where replaces_id is not null`.execute(db);

  await sql`
    create table submissions (
      id integer generated always as identity primary key,
      package_id integer not null unique references packages on delete cascade,
      submitter_id integer not null references users,
      approver_id integer references users,
      state text collate "C" not null check (state in ('WAITING', 'ACCEPTED', 'REJECTED', 'CANCELLED')),
      changes text collate "C" not null,
      created_on timestamptz not null
    )`.execute(db);
  await sql`create index submissions_state on submissions (state, id)`.execute(db);
  await sql`create index submissions_created on submissions (created_on, id)`.execute(db);
  await sql`create index submissions_submitter on submissions (submitter_id)`.execute(db);

  await sql`
    create table repository_maintainers (
      id integer generated always as identity primary key,
      user_id integer not null references users,
      repository_id integer not null references repositories on delete cascade,
      deleted boolean not null default false,
      deletion_id uuid
    )`.execute(db);
  await sql`
    create unique index repository_maintainers_live
    on repository_maintainers (repository_id, user_id) where not deleted`.execute(db);
  await sql`create index repository_maintainers_user on repository_maintainers (user_id) where not deleted`.execute(db);

  await sql`
    create table package_maintainers (
      id integer generated always as identity primary key,
      user_id integer not null references users,
      repository_id integer not null references repositories on delete cascade,
      package_name text collate "C" not null,
      normalized_name text collate "C" not null,
      deleted boolean not null default false,
      deletion_id uuid
    )`.execute(db);
  await sql`
    create index package_maintainers_package
    on package_maintainers (repository_id, normalized_name) where not deleted`.execute(db);
  await sql`create index package_maintainers_user on package_maintainers (user_id) where not deleted`.execute(db);

  await sql`
    create table access_tokens (
      id integer generated always as identity primary key,
      user_id integer not null references users on delete cascade,
      name text collate "C" not null,
      value_hash text collate "C" not null unique,
      active boolean not null default true,
      created_on timestamptz not null,
      expires_on timestamptz not null,
      last_used_on timestamptz
    )`.execute(db);
  await sql`create index access_tokens_user on access_tokens (user_id)`.execute(db);

  // No foreign keys to the subjects of events: events outlive them.
  await sql`
    create table events (
      id integer generated always as identity primary key,
      occurred_on timestamptz not null,
      user_id integer not null references users,
      event_type text not null,
      resource_type text not null,
      resource_id integer not null,
      technology text collate "C",
      repository_id integer,
      package_id integer,
      package_name text collate "C",
      changed_properties jsonb not null,
      description text not null,
      purged boolean not null default false
    )`.execute(db);
  await sql`create index events_time on events (occurred_on desc, id)`.execute(db);
  await sql`create index events_user on events (user_id, occurred_on desc)`.execute(db);
  await sql`create index events_repository on events (repository_id, occurred_on desc)`.execute(db);
  await sql`create index events_resource on events (resource_type, resource_id)`.execute(db);

  await sql`
    create table objects (
      digest text collate "C" primary key,
      size bigint not null,
      last_put_on timestamptz not null
    )`.execute(db);

  await sql`
    create table secrets (
      name text primary key,
      value text not null,
      created_on timestamptz not null
    )`.execute(db);

  await sql`
    create table sign_in_failures (
      id integer generated always as identity primary key,
      login text not null,
      address text not null,
      occurred_on timestamptz not null
    )`.execute(db);
  await sql`create index sign_in_failures_address on sign_in_failures (address, occurred_on)`.execute(db);
  await sql`create index sign_in_failures_login on sign_in_failures (login, occurred_on)`.execute(db);
}
