import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { screenAddresses, signInPages } from "../../server/http/console/addresses.ts";

test("the server knows the console's addresses, so that every other one is not found", () => {
  const routes = readFileSync(resolve(import.meta.dirname, "../../console/app/routes.tsx"), "utf8");
  const declared = [...routes.matchAll(/\bpath: "([^"]*)"/g)].map(([, path]) => path);
  expect(declared.length).toBeGreaterThan(10);
  expect(declared.toSorted()).toEqual([...screenAddresses, signInPages[0]].toSorted());
});
