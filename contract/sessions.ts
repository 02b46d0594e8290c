import { z } from "zod";
import type { Received } from "./answer.ts";
import { links } from "./links.ts";
import { anyOf, listContract } from "./list-contract.ts";
import { userRef } from "./references.ts";

/** A session that a sign-in by password began. */
export const sessionItem = z.object({
  id: z.int(),
  /** The user agent that the client sent when it signed in; may be empty. */
  device: z.string(),
  /** From where it was last used. */
  address: z.string(),
  created: z.string(),
  /** To the minute. */
  lastUsed: z.string(),
  /** When it ends, unless it is left unused for too long before. */
  expires: z.string(),
  /** The session of the request itself. */
  current: z.boolean(),
  user: userRef,
  links,
});
export type SessionItem = Received<typeof sessionItem>;

/** `GET /sessions`: one's own; administrators name others by `userLogin`. */
export const sessionList = listContract({
  path: "/sessions",
  item: sessionItem,
  filters: { userLogin: anyOf() },
  sorts: ["id", "device", "address", "created", "lastUsed", "expires"],
  defaultSort: { field: "lastUsed", direction: "desc" },
});
