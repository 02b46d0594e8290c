import { reviewLevel } from "@packhouse/contract/review/release";
import type { Technology } from "@packhouse/contract/technology";
import { versionOrder as pythonOrder } from "@packhouse/formats/python/version";
import { versionOrder as rOrder } from "@packhouse/formats/r/version";
import type { Db } from "../../platform/db/database.ts";
import { pythonMetadata, rMetadata } from "../records/many-records.ts";

/** Numbers that look random and are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const day = 86_400_000;
const start = new Date("2026-03-01T00:00:00Z").getTime();
/** The current time in the tests of lists. */
export const listClock = () => new Date("2026-06-01T12:00:00Z");

const names = ["Ada Fern", "ada fern", "Bea Özil", "Cem", "Dia 100%", "Élodie_x", "Élodie x", "Gus"];
const words = ["gridwalk", "Grid_Tools", "grid-tools", "Kiln", "kiln.more", "lattice", "Moss", "100%moss"];
const versionOrders = { R: rOrder, Python: pythonOrder } as const;
const metadata = { R: rMetadata, Python: pythonMetadata } as const;

/**
 * A few hundred rows in the tables that lists read. The values of most columns repeat, so that rows tie; no two columns
 * correlate, so that no condition or order can pass for another one.
 */
export async function createListRows(db: Db): Promise<void> {
  const below = numbers(20_261_122);
  const one = <Value>(values: readonly [Value, ...Value[]] | readonly Value[]): Value => {
    const value = values[below(values.length)];
    if (value === undefined) throw new Error("there is nothing to choose from");
    return value;
  };
  const chance = (percent: number) => below(100) < percent;
  const on = (days = 60) => new Date(start + below(days) * day);
  const maybe = <Value>(percent: number, value: () => Value): Value | null => (chance(percent) ? value() : null);
  const times = <Value>(count: number, make: (n: number) => Value): Value[] =>
    Array.from({ length: count }, (_, n) => make(n));
  const scrambled = (n: number, of: number) => (n * 17 + 5) % of;

  const users = await db
    .insertInto("users")
    .values(
      times(29, (n) => ({
        login: `person${scrambled(n, 29)}${one(["", "Ä", "_x"])}`,
        name: one(names),
        email: `${one(["mail", "Post"])}${below(9)}@example.org`,
        rank: below(4),
        active: chance(70),
        deleted: chance(30),
        issuer: "local",
        subject: `person${n}`,
        created_on: on(9),
        last_signed_in_on: maybe(60, () => on(9)),
      })),
    )
    .returning(["id", "rank"])
    .execute();
  const user = () => one(users).id;
  await db
    .insertInto("user_settings")
    .values(
      users
        .filter(() => chance(60))
        .toReversed()
        .map(({ id }) => ({
          user_id: id,
          language: one(["en", "pl"]),
          theme: one(["dark", "light"]),
          page_size: 10 * below(5) + 10,
        })),
    )
    .execute();

  const repositories = await db
    .insertInto("repositories")
    .values(
      times(26, (n) => {
        const technology: Technology = n % 2 === 0 ? "R" : "Python";
        return {
          name: `${one(["North", "north", "south_", "south."])}${scrambled(n, 26)}`,
          technology,
          version: below(5),
          publication_uri: `http://localhost/repo/${scrambled(n + 3, 26)}`,
          server_address: `http://localhost/served/${(n * 7 + 1) % 26}`,
          hash_method: "SHA256" as const,
          redirect_to_source: chance(50),
          requires_authentication: chance(50),
          published: chance(60),
          deleted: n % 5 === 4,
          last_modified_on: on(6),
          last_publication_on: maybe(60, () => on(6)),
          last_publication_successful: chance(50),
        };
      }),
    )
    .returning(["id", "technology"])
    .execute();
  await db
    .insertInto("synchronizations")
    .values(
      repositories
        .filter(() => chance(60))
        .map(({ id }) => ({ repository_id: id, started_on: on(), ended_on: maybe(50, on) })),
    )
    .execute();

  const packages = await db
    .insertInto("packages")
    .values(
      times(110, (n) => {
        const { id, technology } = one(repositories);
        const name = one(words);
        const version = `1.${below(12) + 1}`;
        const digest = `${below(1_000_000)}`.padStart(64, "0");
        return {
          repository_id: id,
          technology,
          responsible_user_id: user(),
          name,
          normalized_name: name.toLowerCase(),
          version,
          version_key: version,
          version_order: versionOrders[technology](version),
          kind: one(["source", "binary"] as const),
          target: `${n}`,
          file_name: `${name}_${version}.tar.gz`,
          digest,
          digests: JSON.stringify({ md5: "0", sha1: "0", sha224: "0", sha256: digest, sha384: "0", sha512: "0" }),
          size: below(9000),
          title: maybe(80, () => `Title ${below(9)}`),
          description: maybe(80, () => `Description ${below(9)}`),
          description_content_type: `text/${below(9)}`,
          author: maybe(80, () => `Author ${below(9)}`),
          url: maybe(80, () => `https://example.org/${below(9)}`),
          license: "MIT",
          metadata: JSON.stringify(metadata[technology]),
          active: chance(50),
          deleted: chance(30),
          mirror: maybe(40, () => "upstream"),
          uploaded_on: on(),
        };
      }),
    )
    .returning(["id", "technology", "repository_id", "name", "version"])
    .execute();
  const submissions = await db
    .insertInto("submissions")
    .values(
      packages
        .toSorted((a, b) => scrambled(a.id, 113) - scrambled(b.id, 113))
        .map(({ id, technology }) => {
          const state = one(["WAITING", "WAITING", "ACCEPTED", "REJECTED", "CANCELLED"] as const);
          return {
            package_id: id,
            technology,
            submitter_id: user(),
            approver_id: state === "WAITING" ? null : user(),
            state,
            changes: `Changes ${below(9)}`,
            created_on: on(20),
          };
        }),
    )
    .returning(["id", "package_id"])
    .execute();

  // No user maintains a repository twice: 29 and 26 have no common divisor.
  const maintainer = (n: number) => ({
    user_id: users[scrambled(n, users.length)]?.id ?? user(),
    repository_id: repositories[scrambled(n, repositories.length)]?.id ?? one(repositories).id,
    deleted: chance(40),
  });
  const repositoryMaintainers = await db
    .insertInto("repository_maintainers")
    .values(times(40, maintainer))
    .returning("id")
    .execute();
  const packageMaintainers = await db
    .insertInto("package_maintainers")
    .values(
      times(60, (n) => {
        const name = one(words);
        return { ...maintainer(n * 7), package_name: name, normalized_name: name.toLowerCase() };
      }),
    )
    .returning("id")
    .execute();

  const tokens = await db
    .insertInto("access_tokens")
    .values(
      times(40, (n) => ({
        user_id: user(),
        name: one(words),
        value_hash: `${n}`,
        active: chance(50),
        created_on: on(),
        expires_on: new Date(start + (below(9) * 30 + 1) * day),
        last_used_on: maybe(60, () => on(9)),
      })),
    )
    .returning("id")
    .execute();
  await db
    .insertInto("sessions")
    .values(
      times(60, () => ({
        user_id: user(),
        key: crypto.randomUUID(),
        device: one(words),
        address: `192.0.2.${below(9)}`,
        created_on: on(9),
        last_used_on: new Date(listClock().getTime() - below(20) * 10 * 60_000),
        expires_on: new Date(listClock().getTime() + (below(9) - 1) * 60 * 60_000),
      })),
    )
    .execute();

  const about = {
    PACKAGE: packages,
    SUBMISSION: submissions,
    REPOSITORY: repositories,
    PACKAGE_MAINTAINER: packageMaintainers,
    REPOSITORY_MAINTAINER: repositoryMaintainers,
    USER: users,
    ACCESS_TOKEN: tokens,
  } as const;
  await db
    .insertInto("events")
    .values(
      times(150, () => {
        const type = one([
          "PACKAGE",
          "PACKAGE",
          "SUBMISSION",
          "SUBMISSION",
          "PACKAGE_MAINTAINER",
          "REPOSITORY",
          "USER",
          "ACCESS_TOKEN",
          "REPOSITORY_MAINTAINER",
        ] as const);
        const { id } = one<{ id: number }>(about[type]);
        const place = type === "USER" || type === "ACCESS_TOKEN" ? undefined : one(repositories);
        return {
          occurred_on: on(20),
          user_id: user(),
          event_type: one(["create", "delete", "update", "upload", "republish"] as const),
          resource_type: type,
          resource_id: id,
          technology: place?.technology ?? null,
          repository_id: place?.id ?? null,
          package_id: null,
          package_name: null,
          changed_properties: "[]",
          description: "",
          purged: chance(20),
        };
      }),
    )
    .execute();
  await db
    .insertInto("security_events")
    .values(
      times(120, () => {
        const type = one(["USER", "USER", "ACCESS_TOKEN", "PACKAGE", "SERVER"] as const);
        const place = type === "PACKAGE" ? one(packages) : undefined;
        const resourceId = { USER: user(), ACCESS_TOKEN: one(tokens).id, PACKAGE: place?.id ?? 0, SERVER: 0 }[type];
        const at = on(20);
        return {
          occurred_on: at,
          last_on: at,
          event_type: one(["signIn", "signInFailed", "tokenUse", "download"] as const),
          detail: "password" as const,
          user_id: maybe(60, user),
          account_id: maybe(60, user),
          subject: maybe(30, () => one(["Cem", "nobody"])),
          address: maybe(70, () => `192.0.2.${below(9)}`),
          resource_type: type,
          resource_id: resourceId,
          technology: place?.technology ?? null,
          repository_id: place?.repository_id ?? null,
          package_id: place?.id ?? null,
          changed_properties: "[]",
        };
      }),
    )
    .execute();

  // Second files of some waiting releases, and reviews at different stages.
  const waiting = db
    .selectFrom("submissions")
    .innerJoin("packages", "packages.id", "submissions.package_id")
    .where("submissions.state", "=", "WAITING")
    .where("packages.deleted", "=", false)
    .select(["submissions.id", "submissions.package_id"])
    .orderBy("submissions.id");
  for (const { package_id } of (await waiting.execute()).filter((_, n) => n % 3 === 0)) {
    const { id, ...columns } = await db
      .selectFrom("packages")
      .selectAll()
      .where("id", "=", package_id)
      .executeTakeFirstOrThrow();
    const file = await db
      .insertInto("packages")
      .values({
        ...columns,
        digests: JSON.stringify(columns.digests),
        metadata: JSON.stringify(columns.metadata),
        target: `second of ${id}`,
      })
      .returning(["id", "technology"])
      .executeTakeFirstOrThrow();
    await db
      .insertInto("submissions")
      .values({
        package_id: file.id,
        technology: file.technology,
        submitter_id: user(),
        state: "WAITING",
        changes: "",
        created_on: on(20),
      })
      .execute();
  }
  for (const { id } of await waiting.execute()) {
    if (chance(40))
      await db
        .insertInto("review_states")
        .values({ submission_id: id, changes_asked_on: maybe(70, on), assignee_id: maybe(50, user) })
        .execute();
    if (chance(80))
      await db
        .insertInto("review_summaries")
        .values({
          submission_id: id,
          level: one(reviewLevel.options),
          counts: JSON.stringify({ info: below(3), notice: below(3), warning: below(3), danger: below(3) }),
          lines_added: below(900),
          lines_removed: below(900),
          incomplete: chance(20),
          made_on: on(),
        })
        .execute();
  }
}

/** The raw tables, read one by one: joins, filters and sorts happen here in memory. */
export async function readListRows(db: Db) {
  const all = async <Row extends { id: number }>(rows: Promise<Row[]>) =>
    new Map((await rows).map((row) => [row.id, row]));
  const [users, repositories, packages, submissions] = await Promise.all([
    all(db.selectFrom("users").selectAll().execute()),
    all(db.selectFrom("repositories").selectAll().execute()),
    all(db.selectFrom("packages").selectAll().execute()),
    all(db.selectFrom("submissions").selectAll().execute()),
  ]);
  const [packageMaintainers, repositoryMaintainers, accessTokens, sessions, events, securityEvents] = await Promise.all(
    [
      all(db.selectFrom("package_maintainers").selectAll().execute()),
      all(db.selectFrom("repository_maintainers").selectAll().execute()),
      all(db.selectFrom("access_tokens").selectAll().execute()),
      all(db.selectFrom("sessions").selectAll().execute()),
      all(db.selectFrom("events").selectAll().execute()),
      all(db.selectFrom("security_events").selectAll().execute()),
    ],
  );
  const reviewStates = await db.selectFrom("review_states").selectAll().execute();
  const reviewSummaries = await db.selectFrom("review_summaries").selectAll().execute();
  const settings = await db.selectFrom("user_settings").selectAll().execute();
  const synchronizations = await db.selectFrom("synchronizations").selectAll().execute();
  return {
    users,
    repositories,
    packages,
    submissions,
    packageMaintainers,
    repositoryMaintainers,
    accessTokens,
    sessions,
    events,
    securityEvents,
    changesAsked: new Set(reviewStates.filter((row) => row.changes_asked_on).map((row) => row.submission_id)),
    assignees: new Map(reviewStates.map((row) => [row.submission_id, row.assignee_id])),
    levels: new Map(reviewSummaries.map((row) => [row.submission_id, row.level])),
    settings: new Map(settings.map((row) => [row.user_id, row])),
    synchronizing: new Set(synchronizations.filter(({ ended_on }) => !ended_on).map((row) => row.repository_id)),
  };
}
export type ListRows = Awaited<ReturnType<typeof readListRows>>;
