import { z } from "zod";
import { promised, type Received } from "./answer.ts";
import { optionalInstant } from "./envelope.ts";
import { longestGiven, shortened } from "./limits.ts";
import { links } from "./links.ts";
import { anyOf, flag, listContract, text } from "./list-contract.ts";
import { userRef, userSorts } from "./references.ts";

export const accessToken = z.object({
  ...promised({
    id: z.int(),
    name: z.string(),
    /** The secret itself. Only in the response that creates the token; null afterward. */
    value: z.string().nullable(),
    creationDate: z.string(),
    expirationDate: z.string(),
    active: z.boolean(),
    deleted: z.boolean(),
    user: userRef,
    lastUsed: optionalInstant,
  }),
  expired: z.boolean(),
  /** Days between creation and expiration. */
  lifetime: z.int(),
});

export const accessTokenItem = accessToken.extend({ ...promised({ links }), shortened });
export type AccessTokenItem = Received<typeof accessTokenItem>;

/** `GET /access-tokens` */
export const accessTokenList = listContract({
  path: "/access-tokens",
  item: accessTokenItem,
  filters: { search: text, active: flag, expired: flag, userLogin: anyOf() },
  sorts: [
    "id",
    "name",
    "value",
    "creationDate",
    "expirationDate",
    "active",
    "deleted",
    "user",
    "lastUsed",
    ...userSorts,
  ],
  names: ["name", "user", "user.name", "user.login"],
});

/** Body of `POST /access-tokens`; `lifetime` is a number of days, as a number or as text. */
export const accessTokenCreation = z.strictObject({
  name: z.string().max(longestGiven).nullish(),
  lifetime: z.union([z.string().max(100), z.number()]).nullish(),
});

export const shortestLifetimeDays = 1;
export const longestLifetimeDays = 365;
