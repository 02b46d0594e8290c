import { z } from "zod";

/** Codes of responses to requests that exceed a limit of the server, all 429. */
export const limitCodes = [
  "too.many.calls",
  "too.many.calls.from.address",
  "too.many.uploads",
  "too.many.uploads.from.address",
  "too.many.waiting.submissions",
  "too.many.waiting.submissions.in.repository",
  "too.many.waiting.bytes",
  "too.many.access.tokens",
] as const;
export type LimitCode = (typeof limitCodes)[number];

/** `data` of these responses. */
export const exceededLimit = z.object({
  /** Name of the setting. */
  limit: z.string(),
  allowed: z.int(),
  /** When to try again, as in `Retry-After`. */
  retryAfterSeconds: z.int(),
});
export type ExceededLimit = z.infer<typeof exceededLimit>;
