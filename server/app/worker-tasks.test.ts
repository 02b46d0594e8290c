import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { tasks } from "./worker-tasks.ts";

const server = resolve(import.meta.dirname, "..");

test("workers can do every task that is declared", () => {
  const files = readdirSync(server, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !path.includes("node_modules"),
  );
  const declared = files.flatMap((path) =>
    [...readFileSync(join(server, path), "utf8").matchAll(/= task<typeof \w+>\(\s*"([\w-]+)"/g)].map(
      ([, name]) => name,
    ),
  );
  expect(declared.length).toBeGreaterThan(10);
  expect([...tasks.keys()].sort()).toEqual(declared.sort());
});
