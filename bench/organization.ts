import { type ApiUser, type Product, signIn, startProduct } from "@packhouse/server/testing/product";

const password = "bench-password";

/** A product of its own, and its administrator. */
export async function startForBench(): Promise<{ product: Product; administrator: ApiUser; uploader: ApiUser }> {
  const people = JSON.stringify([{ login: "uploader", password }]);
  const product = await startProduct({ environment: { PACKHOUSE_ADMIN_PASSWORD: password, PACKHOUSE_PEOPLE: people } });
  return {
    product,
    administrator: await signIn(product, "admin", password),
    uploader: await signIn(product, "uploader", password),
  };
}

/** The value below which the given part of the sorted values lies. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** Runs calls a few at a time. */
export async function inParallel<Item>(
  items: readonly Item[],
  width: number,
  call: (item: Item) => Promise<unknown>,
): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await call(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
