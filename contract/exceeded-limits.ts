import { z } from "zod";

/** Codes of answers to what goes beyond a limit of the server, all 429. */
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

/** `data` of these answers. */
export const exceededLimit = z.object({
  /** Name of the setting. */
  limit: z.string(),
  /** Its value. */
  allowed: z.int(),
  /** When it is worth trying again, as in `Retry-After`. */
  retryAfterSeconds: z.int(),
});
export type ExceededLimit = z.infer<typeof exceededLimit>;
