import { z } from "zod";
import type { Received } from "./answer.ts";
import { links } from "./links.ts";
import { anyOf, listContract } from "./list-contract.ts";
import { userRef } from "./references.ts";

/** A session that was started by signing in with a password. */
export const sessionItem = z.object({
  id: z.int(),
  /** The user agent that the client sent at sign-in; may be empty. */
  device: z.string(),
  /** The address it was last used from. */
  address: z.string(),
  created: z.string(),
  /** Rounded to the minute. */
  lastUsed: z.string(),
  /** When it ends, unless it is idle for too long before. */
  expires: z.string(),
  /** The session of the request itself. */
  current: z.boolean(),
  user: userRef,
  links,
});
export type SessionItem = Received<typeof sessionItem>;

/** `GET /sessions`: the caller's own; administrators select others with `userLogin`. */
export const sessionList = listContract({
  path: "/sessions",
  item: sessionItem,
  filters: { userLogin: anyOf() },
  sorts: ["id", "device", "address", "created", "lastUsed", "expires"],
  defaultSort: { field: "lastUsed", direction: "desc" },
});
