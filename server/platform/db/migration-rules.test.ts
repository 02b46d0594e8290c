import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { brokenRules } from "../../testing/migration-rules.ts";
import { migrations } from "./migrate.ts";

/** Created before there was anything to upgrade from; the rules apply to all later ones. */
const baseline = new Set([
  "2026-11-21-first-schema",
  "2026-11-21-publication",
  "2026-11-21-record-lists",
  "2026-11-21-required-packages",
  "2026-11-21-sign-in-by-provider",
  "2026-11-21-user-groups",
  "2026-11-21-when-rendered",
  "2026-11-22-pdf-manuals",
  "2026-11-22-r-binaries",
  "2026-11-23-mirrors",
  "2026-11-23-pushed-files",
]);

const folder = join(import.meta.dirname, "migrations");
const files = readdirSync(folder)
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -".ts".length));
const sourceOf = (name: string) => readFileSync(join(folder, `${name}.ts`), "utf8");
const migration = (sql: string, more = "") =>
  `${more}export async function up(db) { await sql\`${sql}\`.execute(db); }`;

describe("migrations", () => {
  test("are all listed, under the names of their files", () => {
    expect(Object.keys(migrations).sort()).toEqual(files.sort());
  });

  test("after the first ones keep what earlier versions use", () => {
    const broken = files
      .filter((name) => !baseline.has(name))
      .map((name) => ({ name, broken: brokenRules(sourceOf(name)) }));
    expect(broken.filter(({ broken }) => broken.length > 0)).toEqual([]);
  });

  test("import nothing of ours", () => {
    const imports = files.flatMap((name) => [...sourceOf(name).matchAll(/from "([^"]+)"/g)].map(([, from]) => from));
    expect(new Set(imports)).toEqual(new Set(["kysely"]));
  });
});

const apart = "export const transaction = false;\n";
const later = 'export const oldestVersion = "0.3.0";\n';

describe("a migration may not", () => {
  test.for([
    ["alter table packages drop column title"],
    ["drop table mirrors"],
    ["drop index packages_name"],
    ["alter table packages rename column title to heading"],
    ["alter table packages rename to things"],
    ["alter table packages alter column size type text"],
    ["alter table packages alter column title set not null"],
    ["alter table packages add column key uuid not null default gen_random_uuid()"],
    ["alter table packages add column n bigint generated always as identity"],
    ["alter table packages add column n integer not null"],
    ["alter table packages add constraint small check (size < 10)"],
    ["alter table packages add foreign key (n) references users"],
    ["create index packages_title on packages (title)"],
    ["create unique index concurrently if not exists packages_title on packages (title)"],
    ["update packages set title = ''"],
    ["delete from events where id < 10"],
    ["lock table packages"],
  ])("%s", ([sql = ""]) => {
    expect(brokenRules(migration(sql))).toHaveLength(1);
  });
});

describe("a migration may", () => {
  test.for([
    [
      "create table notes (id integer primary key, text text not null default md5('x')); create index notes_text on notes (text)",
      "",
    ],
    ["alter table packages add column note text", ""],
    ["alter table packages add column noted boolean not null default false, add column n integer", ""],
    ["alter table packages add constraint small check (size < 10) not valid", ""],
    ["alter table packages validate constraint small", ""],
    ["create index concurrently if not exists packages_title on packages (title)", apart],
    ["drop index concurrently if exists packages_title", apart],
    ["update packages set note = '' where id in (select id from packages where note is null limit 1000)", apart],
    ["alter table packages drop column title", later],
  ])("%s", ([sql = "", more = ""]) => {
    expect(brokenRules(migration(sql, more))).toEqual([]);
  });
});
