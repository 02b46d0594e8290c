import type { z } from "zod";
import { UpstreamFailure } from "../../../platform/errors/upstream-failure.ts";
import { mirrors } from "../records/store.ts";
import type { Reading } from "./upstream.ts";
import type { ReadIndex } from "./upstream-client.ts";

/**
 * Reads an index for these selectors (`wanted`, any text that differs when they do). Only what changed upstream since the
 * last time is sent again; the rest is remembered. Undefined when there is no such index.
 */
export async function readIndex<Content>(
  { db, client, mirror, signal }: Reading,
  index: { address: string; accept: string; wanted: string },
  shape: z.ZodType<Content>,
  read: (index: ReadIndex) => Content | Promise<Content>,
): Promise<Content | undefined> {
  const known = await mirrors(db).index(mirror.id, index.address, index.wanted);
  const earlier = known && shape.safeParse(known.content).data;
  const validators = known && earlier !== undefined ? known : { etag: null, lastModified: null };
  const answer = await named(index.address, () => client.readIndex(index.address, index.accept, validators, signal));
  if (answer === "unchanged") return earlier;
  if (answer === undefined) return undefined;
  const content = await named(index.address, async () => read(answer));
  const { etag, lastModified } = answer;
  await mirrors(db).rememberIndex(mirror.id, index.address, index.wanted, { etag, lastModified, content });
  return content;
}

/** For a mirror with many indexes the failure names the index. */
async function named<Result>(address: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof UpstreamFailure ? new UpstreamFailure(`${address}: ${error.message}`, error.passing) : error;
  }
}
