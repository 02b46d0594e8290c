import type { Operation } from "@packhouse/contract/operation";
import { serverAddress } from "./configuration.ts";
import { ApiFailure } from "./failure.ts";

/**
 * Operations that only our server has. Another server with the same API is asked for each of them once; what it does not
 * have is remembered for the session, so that no other screen asks again.
 */
const key = "packhouse.missing-routes";

function missing(): string[] {
  return sessionStorage.getItem(key)?.split(" ") ?? [];
}

const entryOf = ({ path }: Operation): string => `${serverAddress()}${path}`;

/** What the call of an operation returns, or null from a server without it. Other failures are thrown. */
export async function ifOffered<Data>(operation: Operation, call: () => Promise<Data>): Promise<Data | null> {
  if (missing().includes(entryOf(operation))) return null;
  try {
    return await call();
  } catch (error) {
    if (!isMissingRoute(error)) throw error;
    sessionStorage.setItem(key, [...new Set([...missing(), entryOf(operation)])].join(" "));
    return null;
  }
}

/**
 * Whether a failure means that the server has no such route. Where a route of ours looks like one with an id, as
 * `/package-maintainers/candidates` does, such a server finds that its id is no number. A missing record is not
 * a missing route: its code names the record.
 */
function isMissingRoute(error: unknown): boolean {
  if (!(error instanceof ApiFailure)) return false;
  const { status, messageCode } = error;
  if (status === 400 || status === 405) return true;
  return status === 404 && (messageCode === null || messageCode === "not.found");
}
