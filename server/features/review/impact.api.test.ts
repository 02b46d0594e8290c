import { cpuMs, standardMs } from "@packhouse/fixtures/cpu-time";
import { isLong } from "@packhouse/fixtures/long-form";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { type SmallPackage, smallRPackage, smallWheel } from "../../testing/small-packages.ts";

let it: TestPackhouse;
let admin: Client;
let submitter: Client;

beforeAll(async () => {
  it = await startPackhouse({ settings: { readRights: [{ repository: "closed", role: "admin", groups: [] }] } });
  admin = await it.as(it.admin);
  submitter = await it.as(await it.given.person("submitter"));
  for (const name of ["north", "south", "closed"]) await it.given.repository("R", { name });
  await it.given.repository("Python", { name: "orchard" });
});
afterAll(() => it.close());

const uploaded = async (client: Client, repository: string, file: SmallPackage): Promise<number> =>
  (await it.given.submission(client, repository, file)).id;
const impactOf = async (client: Client, id: number) => {
  const { http, data } = await client.get(`/submissions/${id}/impact`);
  expect(http).toBe(200);
  return data;
};

test("what clients install, what leaves the index, and what would break in repositories that the caller may read", async () => {
  await uploaded(admin, "north", await smallRPackage("loam", "1.0", { Depends: "R (>= 4.1)" }));
  await uploaded(admin, "north", await smallRPackage("plough", "1.0", { Imports: "loam (< 2.0)" }));
  await uploaded(admin, "south", await smallRPackage("furrow", "1.0", { Suggests: "loam (>= 2.0)" }));
  await uploaded(admin, "closed", await smallRPackage("hidden", "1.0", { Imports: "loam (< 2.0)" }));
  const id = await uploaded(
    submitter,
    "north",
    await smallRPackage("loam", "2.0", { Depends: "R (>= 4.4)", Imports: "stats, plough (>= 3.0), furrow, nowhere" }),
  );
  const impact = await impactOf(submitter, id);
  expect(impact).toMatchObject({ archived: "1.0", dependentsTotal: 2, wouldBreak: 1 });
  expect(impact.installs.slice(1)).toEqual([
    { languageVersions: "4.1 to 4.3", before: "1.0", after: null },
    { languageVersions: "4.4 to 4.6", before: "1.0", after: "2.0" },
  ]);
  const dependents = impact.dependents.map((one: Record<string, string>) => [
    one.repository,
    one.name,
    one.field,
    one.constraint,
    one.before,
    one.after,
  ]);
  expect(dependents).toEqual([
    ["north", "plough", "Imports", "< 2.0", "satisfied", "unsatisfied"],
    ["south", "furrow", "Suggests", ">= 2.0", "unsatisfied", "satisfied"],
  ]);
  expect(impact.needs.map((one: Record<string, string>) => [one.field, one.name, one.found])).toEqual([
    ["Depends", "R", "builtIn"],
    ["Imports", "stats", "builtIn"],
    ["Imports", "plough", "unfit"],
    ["Imports", "furrow", "elsewhere"],
    ["Imports", "nowhere", "missing"],
  ]);
  expect((await impactOf(admin, id)).dependents.map(({ name }: { name: string }) => name)).toEqual([
    "hidden",
    "plough",
    "furrow",
  ]);
});

test("what a release needs in total, with what that needs in turn, and around in circles", async () => {
  await uploaded(admin, "north", await smallRPackage("gravel", "0.9", { Imports: "older" }));
  await uploaded(
    admin,
    "north",
    await smallRPackage("gravel", "1.0", { Imports: "utils, sand", Suggests: "testthat" }),
  );
  await uploaded(
    admin,
    "north",
    await smallRPackage("sand", "1.0", { LinkingTo: "gravel, quartz", Depends: "R (>= 4.0)" }),
  );
  const id = await uploaded(
    submitter,
    "north",
    await smallRPackage("drain", "1.0", { Imports: "stats, gravel, nowhere", Suggests: "knitr" }),
  );
  // gravel, sand, quartz, nowhere
  expect((await impactOf(submitter, id)).needsInTotal).toBe(4);
  await uploaded(admin, "orchard", await smallWheel("Peach_Core", "1.0", { "Requires-Dist": "stone; extra == 'pit'" }));
  const python = await uploaded(
    submitter,
    "orchard",
    await smallWheel("peach", "1.0", { "Requires-Dist": "peach.core" }),
  );
  expect((await impactOf(submitter, python)).needsInTotal).toBe(1);
});

test("a mirror of the repository may import what is missing", async () => {
  const { id: south } = await it.deps.db
    .selectFrom("repositories")
    .select("id")
    .where("name", "=", "south")
    .executeTakeFirstOrThrow();
  const selectors = JSON.stringify([{ name: "tidal*", version: null, generateManuals: false }]);
  await sql`insert into mirrors (repository_id, name, uri, packages, generate_manuals)
    values (${south}, 'sea', 'https://sea.example.org', ${selectors}::jsonb, false)`.execute(it.deps.db);
  const id = await uploaded(submitter, "south", await smallRPackage("shore", "1.0", { Imports: "tidalpool, inland" }));
  expect((await impactOf(submitter, id)).needs.map((one: Record<string, string>) => [one.name, one.found])).toEqual([
    ["tidalpool", "upstream"],
    ["inland", "missing"],
  ]);
});

test("Python clients keep the previous version where the new one needs a newer Python", async () => {
  await uploaded(admin, "orchard", await smallWheel("pear", "1.0", { "Requires-Python": ">=3.8" }));
  await uploaded(
    admin,
    "orchard",
    await smallWheel("Basket.Of", "1.0", { "Requires-Dist": "pear<2; extra == 'fruit'" }),
  );
  const id = await uploaded(submitter, "orchard", await smallWheel("pear", "2.0", { "Requires-Python": ">=3.12" }));
  const impact = await impactOf(submitter, id);
  expect(impact.installs).toEqual([
    { languageVersions: "3.8 to 3.11", before: "1.0", after: "1.0" },
    { languageVersions: "3.12 to 3.15", before: "1.0", after: "2.0" },
  ]);
  expect(impact.dependents).toMatchObject([
    { field: "Requires-Dist [fruit]", before: "satisfied", after: "satisfied" },
  ]);
  expect(impact.archived).toBeNull();
});

test.runIf(isLong)(
  "among 23,000 packages, a tenth of which depend on it, the impact takes a few statements",
  {
    timeout: 120_000,
  },
  async () => {
    await it.given.repository("R", { name: "large" });
    await uploaded(admin, "large", await smallRPackage("bedrock", "1.0"));
    const id = await uploaded(submitter, "large", await smallRPackage("bedrock", "2.0"));
    await addDependents();
    const address = `/submissions/${id}/impact`;
    const impact = await impactOf(admin, id);
    expect(impact).toMatchObject({ dependentsTotal: 2300, wouldBreak: 2300 });
    expect(impact.dependents).toHaveLength(200);
    it.takeStatements();
    const before = cpuMs();
    await admin.get(address);
    expect(standardMs(cpuMs() - before)).toBeLessThan(1000);
    expect(it.takeStatements().length).toBeLessThan(20);
  },
);

/** Packages without archives of their own. */
async function addDependents(): Promise<void> {
  await sql`
    insert into packages (repository_id, technology, responsible_user_id, name, normalized_name, version, version_key,
      version_order, kind, target, file_name, digest, digests, size, description_content_type, metadata,
      dependency_names, active, uploaded_on)
    select repository_id, technology, responsible_user_id, 'pkg' || n, 'pkg' || n, version, version_key, version_order,
      kind, target, 'pkg' || n || '_1.0.tar.gz', digest, digests, size, description_content_type, metadata,
      case when n % 10 = 0 then array['bedrock', 'stats'] else array['stats'] end, true, uploaded_on
    from packages cross join generate_series(1, 23000) as n
    where packages.name = 'bedrock' and packages.version = '1.0'`.execute(it.deps.db);
  await sql`
    insert into submissions (package_id, technology, submitter_id, approver_id, state, changes, created_on)
    select id, technology, responsible_user_id, responsible_user_id, 'ACCEPTED', '', uploaded_on
    from packages where name like 'pkg%'`.execute(it.deps.db);
  const facts = JSON.stringify({
    dependencies: [{ kind: "imports", name: "bedrock", constraint: "< 2.0", condition: "" }],
    vignettes: [],
    readme: null,
    incomplete: [],
  });
  await sql`
    insert into package_facts (package_id, version, facts)
    select id, 1, ${facts}::jsonb from packages where name like 'pkg%'`.execute(it.deps.db);
  await sql`analyze packages`.execute(it.deps.db);
}
