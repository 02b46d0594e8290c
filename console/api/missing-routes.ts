import type { Operation } from "@packhouse/contract/operation";
import { tabStorage } from "../storage/browser-storage.ts";
import { serverAddress } from "./configuration.ts";
import { ApiFailure } from "./failure.ts";

/**
 * Operations that only our server has. Another server with the same API gets one request for each; what it does not
 * have is remembered for the session, so that no other screen tries again.
 */
const key = "packhouse.missing-routes";

function missing(): string[] {
  return tabStorage.read(key)?.split(" ") ?? [];
}

const entryOf = ({ path }: Pick<Operation, "path">): string => `${serverAddress()}${path}`;

/** Whether the server is known to lack a route; links to what it would show are then left out. */
export const isKnownMissing = (route: Pick<Operation, "path">): boolean => missing().includes(entryOf(route));

/** The first request for each route; others wait until it has shown whether the server has the route. */
const firstRequests = new Map<string, Promise<unknown>>();

/** The result of an operation's call, or null from a server without it. Other failures are thrown. */
export function ifOffered<Data>(operation: Operation, call: () => Promise<Data>): Promise<Data | null> {
  const entry = entryOf(operation);
  const first = firstRequests.get(entry);
  if (first) return first.then(() => unlessMissing(entry, call));
  const result = unlessMissing(entry, call);
  firstRequests.set(
    entry,
    result.catch(() => undefined),
  );
  return result;
}

async function unlessMissing<Data>(entry: string, call: () => Promise<Data>): Promise<Data | null> {
  if (missing().includes(entry)) return null;
  try {
    return await call();
  } catch (error) {
    if (!isMissingRoute(error)) throw error;
    tabStorage.write(key, [...new Set([...missing(), entry])].join(" "));
    return null;
  }
}

/**
 * Whether a failure means that the server does not have the route. Where one of our routes matches one with an id, like
 * `/package-maintainers/candidates`, such a server reports that the id is not a number. A missing record is not
 * a missing route: its code names the record.
 */
function isMissingRoute(error: unknown): boolean {
  if (!(error instanceof ApiFailure)) return false;
  const { status, messageCode } = error;
  if (status === 400 || status === 405) return true;
  return status === 404 && (messageCode === null || messageCode === "not.found");
}
