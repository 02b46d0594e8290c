import { type ApiUser, type Product, signIn, startProduct } from "@packhouse/server/testing/product";

const password = "bench-password";

/** A product of its own, and its administrator. */
export async function startForBench(
  environment: Record<string, string> = {},
): Promise<{ product: Product; administrator: ApiUser; uploader: ApiUser }> {
  const people = JSON.stringify([{ login: "uploader", password }]);
  const product = await startProduct({
    environment: {
      PACKHOUSE_ADMIN_PASSWORD: password,
      PACKHOUSE_PEOPLE: people,
      // One user stands for many.
      PACKHOUSE_LIMITS_CALLS_PER_USER: "0",
      PACKHOUSE_LIMITS_CALLS_PER_ADDRESS: "0",
      PACKHOUSE_LIMITS_UPLOADS_PER_USER: "0",
      PACKHOUSE_LIMITS_UPLOADS_PER_ADDRESS: "0",
      ...environment,
    },
  });
  return {
    product,
    administrator: await signIn(product, "admin", password),
    uploader: await signIn(product, "uploader", password),
  };
}

/** Names that begin with different letters, as those of real packages do. */
export function nameOf(index: number): string {
  const letter = (value: number) => String.fromCharCode(97 + (value % 26));
  return `${letter(index)}${letter(Math.floor(index / 26))}pkg${index}x`;
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
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await call(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

/** How many seconds something takes. */
export async function seconds(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return (performance.now() - started) / 1000;
}
