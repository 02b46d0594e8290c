import { setTimeout as sleep } from "node:timers/promises";
import { type ApiUser, inDatabaseOf, type Product } from "@packhouse/server/testing/product";
import { fillRepository } from "@packhouse/server/testing/records/full-repositories";

/** Creates a repository of so many R packages, and returns the address of its index once that lists them all. */
export async function fullRepository(
  { product, administrator }: { product: Product; administrator: ApiUser },
  name: string,
  size: number,
): Promise<string> {
  const id = await administrator.createRepository("R", name, { published: false });
  await inDatabaseOf(product, (db) => fillRepository(db, { id, technology: "R" }, { names: size, versions: 1 }));
  await administrator.call("PATCH", `/r/repositories/${id}`, [{ op: "replace", path: "/published", value: true }]);
  const index = `${product.address}/repo/${name}/src/contrib/PACKAGES`;
  while ((await namesIn(index)).size < size) await sleep(200);
  return index;
}

/** The names of the packages that an index lists. */
export async function namesIn(index: string): Promise<ReadonlySet<string>> {
  const text = await (await fetch(index)).text();
  return new Set([...text.matchAll(/^Package: (.*)$/gm)].map(([, name = ""]) => name));
}
