import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const server = resolve(import.meta.dirname, "../../server");

/** Program files of the server, without tests and what only tests use. */
const sources = new Map(
  readdirSync(server, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !/(^|\/)(node_modules|testing)\/|\.test\.ts$/.test(path))
    .map((path) => [path, readFileSync(join(server, path), "utf8")]),
);

const matching = (found: (text: string, path: string) => boolean): string[] =>
  [...sources]
    .filter(([path, text]) => found(text, path))
    .map(([path]) => path)
    .sort();

/** The tables whose rows a text locks; `unknown` where it cannot be seen. */
function lockedTables(text: string): string[] {
  const built = [...text.matchAll(/\.for(?:Update|NoKeyUpdate|Share|KeyShare)\(([^)]*)\)/g)].flatMap((lock) => {
    const named = [...(lock[1] ?? "").matchAll(/"(\w+)"/g)].map(([, table = ""]) => table);
    if (named.length > 0) return named;
    const statement = text.slice(0, lock.index).split(";").at(-1) ?? "";
    return /.*selectFrom\("(\w+)/s.exec(statement)?.[1] ?? "unknown";
  });
  const written = [...text.matchAll(/\bfor (?:no key update|key share|update|share)\b/g)].map((lock) => {
    const statement = text.slice(0, lock.index).split("`").at(-1) ?? "";
    return /.*\bfrom (\w+)/s.exec(statement)?.[1] ?? "unknown";
  });
  return [...built, ...written];
}

describe("changes of repositories", () => {
  const units = ["features/unit-of-work/change-repository.ts", "features/unit-of-work/repository-unit.ts"];
  const locks = "features/unit-of-work/lock-store.ts";

  test("raise the version in one place", () => {
    // Repositories on other servers have versions of their own. A render writes the row for the unit of work.
    const others = ["publish/copies/push/repository-server.ts", "publish/render/render-store.ts"];
    expect(matching((text) => /\bversion\b["']?,?\s*["']?\+/.test(text))).toEqual([...others, locks].sort());
  });

  test("lock rows of repositories in one place, the unit of work", () => {
    // Its table is a parameter: maintainers of packages, or those of repositories. A render changes no record.
    const others = ["features/maintainers/store.ts", "publish/render/render-store.ts"];
    const wrong = matching((text) => lockedTables(text).some((table) => ["repositories", "unknown"].includes(table)));
    expect(wrong).toEqual([...others, locks].sort());
    expect(matching((text) => /from "[^"]*\/lock-store\.ts"/.test(text))).toEqual(units);
  });

  test("are seen by these rules in whatever way a lock is written", () => {
    expect(lockedTables(`tx.selectFrom("repositories").selectAll().forNoKeyUpdate()`)).toEqual(["repositories"]);
    expect(lockedTables(`select(joined(tx)).forUpdate(["packages", "repositories"])`)).toContain("repositories");
    expect(lockedTables(`a.selectFrom("users"); select(joined(tx)).forUpdate()`)).toEqual(["unknown"]);
    expect(lockedTables("sql`select from repositories where id = 1\n for update`")).toEqual(["repositories"]);
  });
});

describe("SQL", () => {
  const isStore = (path: string) => /(^|\/|-)store\.ts$/.test(path) || path.startsWith("platform/db/");
  const query =
    /\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|selectNoFrom|replaceInto)\(|\bsql(?:[`<]|\.(?:ref|lit|val|join|table|id|raw)\()/;

  test("stands in stores and migrations", () => {
    // Kysely's types may be named elsewhere: stores hand out and take parts of queries.
    expect(matching((text, path) => !isStore(path) && query.test(text))).toEqual([]);
    expect(matching((text, path) => isStore(path) && query.test(text)).length).toBeGreaterThan(40);
  });

  test("is seen in whatever form it is written", () => {
    for (const text of ["await tx.selectFrom(table)", "sql`select 1`", "sql<number>`1`", "sql.ref(name)"])
      expect(text).toMatch(query);
  });
});
