import { longestAddress, longestName } from "@packhouse/contract/limits";
import { expect, test } from "vitest";
import { startPackhouse } from "../packhouse.ts";

const largestRow = 2704; // of a B-tree: PostgreSQL refuses longer ones, which would end in a 500
const character = 4; // bytes, at most, in UTF-8
const digest = 64;
const word = 30;
/**
 * Of packages: names and versions are ASCII only; a version's sort key has up to four characters for each of its own.
 */
const name = longestName;

/** The maximum size in bytes of each text in a key, by the check before it is stored. */
const bytes: Record<string, number> = {
  "access_tokens.value_hash": digest,
  "comparisons.base_digest": digest,
  "comparisons.digest": digest,
  "events.event_type": word,
  "events.resource_type": word,
  "events.technology": word,
  "index_blocks.digest": digest,
  "index_parts.key": name + word,
  "inspections.digest": digest,
  "kysely_migration.name": 100,
  "mail_notices.kind": word,
  "mirror_indexes.address": 2000,
  "mirrors.name": longestName * character,
  "objects.digest": digest,
  "package_maintainers.normalized_name": longestName * character,
  "packages.digest": digest,
  "packages.kind": word,
  "packages.manual_digest": digest,
  "packages.mirror": longestName * character,
  "packages.name": name,
  // One character may look like two, such as m like rn.
  "packages.name_look": 2 * name,
  "packages.normalized_name": name,
  "packages.target": name,
  "packages.technology": word,
  "packages.version_key": name + word,
  "packages.version_order": 4 * name,
  "password_links.value_hash": digest,
  "published_files.digest": digest,
  "published_files.part": name + word,
  "published_files.path": 2 * name,
  "pushed_files.path": 3 * name,
  "recovery_codes.code_hash": digest,
  "removed_files.digest": digest,
  "repositories.name": name,
  "repositories.publication_uri": longestAddress,
  "repositories.server_address": longestAddress,
  "repositories.technology": word,
  "repository_copies.place": longestAddress + name,
  "repository_copies.target": word,
  "review_checks.name": longestName * character,
  "review_marks.path_key": digest,
  "second_factor_continuations.token_hash": digest,
  // WebAuthn, section 5.8: at most 1,023 bytes, as base64url; the contract has a little room.
  "second_factors.credential_id": 1400,
  "secrets.name": word,
  "security_events.address": 100,
  "security_events.event_type": word,
  "security_events.merge_key": digest,
  "setting_digests.name": 100,
  "sign_in_failures.address": 100,
  "sign_in_failures.login": (longestName + 1) * character,
  "submissions.state": word,
  "submissions.technology": word,
  "previous_uploads.digest": digest,
  // Without an address, a user has one made of the login.
  "users.email": (longestName + "@localhost".length) * character,
  "users.issuer": longestAddress,
  "users.login": longestName * character,
  // Case folding may turn one two-byte character into three.
  "users.login_key": longestName * 6,
  "users.name": longestName * character,
  "users.subject": longestName * character,
};

test("no row of an index can be larger than the database takes", async () => {
  await using it = await startPackhouse();
  const { rows } = await it.pool.query<{ index: string; columns: string[] }>(`
    select i.relname as index, array_agg(t.relname || '.' || a.attname) filter (where y.typname in ('text', 'varchar')) as columns
    from pg_index x
    join pg_class i on i.oid = x.indexrelid join pg_am m on m.oid = i.relam and m.amname = 'btree'
    join pg_class t on t.oid = x.indrelid join pg_namespace n on n.oid = t.relnamespace and n.nspname = 'public'
    join pg_attribute a on a.attrelid = t.oid and a.attnum = any(x.indkey)
    join pg_type y on y.oid = a.atttypid
    group by i.relname`);
  const keys = rows.filter(({ columns }) => columns);
  expect(keys.length).toBeGreaterThan(20);
  const unknown = new Set(keys.flatMap(({ columns }) => columns.filter((column) => !(column in bytes))));
  expect([...unknown]).toEqual([]);
  for (const { index, columns } of keys) {
    const most = columns.reduce((sum, column) => sum + (bytes[column] ?? 0), 0);
    expect(most, `${index} on ${columns.join(", ")}`).toBeLessThan(largestRow - 50);
  }
});
