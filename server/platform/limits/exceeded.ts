import type { ExceededLimit, LimitCode } from "@packhouse/contract/exceeded-limits";
import { Refusal } from "../errors/refusal.ts";
import type { Watch } from "../observability/watch.ts";
import type { SettingName } from "../settings/settings.ts";

/** The limit behind each code, by the setting that changes it. */
export const settingOf = {
  "too.many.calls": "limits.calls.perUser",
  "too.many.calls.from.address": "limits.calls.perAddress",
  "too.many.uploads": "limits.uploads.perUser",
  "too.many.uploads.from.address": "limits.uploads.perAddress",
  "too.many.waiting.submissions": "limits.waiting.perUser",
  "too.many.waiting.submissions.in.repository": "limits.waiting.perRepository",
  "too.many.waiting.bytes": "limits.waiting.bytesPerUser",
  "too.many.access.tokens": "limits.accessTokens.perUser",
} as const satisfies Record<LimitCode, SettingName>;

/** Names of the limits in headers: parts of the code. */
const policyName = (code: LimitCode): string => code.slice("too.many.".length).replaceAll(".", "-");

interface Exceeded {
  allowed: number;
  retryAfterSeconds: number;
  /** Window in seconds, for rate limits. */
  windowSeconds?: number;
  /** What is counted, if not requests. */
  unit?: "content-bytes";
}

/** Refuses a request beyond a limit, and counts that. */
export function exceeded(watch: Pick<Watch, "limitExceeded">, code: LimitCode, given: Exceeded): Refusal {
  watch.limitExceeded(code);
  return beyondLimit(code, given);
}

/** Counts a request that was refused by `beyondLimit`. */
export function countIfBeyondLimit(watch: Pick<Watch, "limitExceeded">, { code }: Refusal): void {
  if (isLimitCode(code)) watch.limitExceeded(code);
}

const isLimitCode = (code: string): code is LimitCode => Object.hasOwn(settingOf, code);

/** 429 with the limit and the time to retry, in the body and in the headers. */
export function beyondLimit(code: LimitCode, given: Exceeded): Refusal {
  const { allowed, windowSeconds, unit } = given;
  const retryAfterSeconds = Math.max(1, Math.ceil(given.retryAfterSeconds));
  const data: ExceededLimit = { limit: settingOf[code], allowed, retryAfterSeconds };
  return new Refusal(code, data, {
    "retry-after": String(retryAfterSeconds),
    ...rateHeaders([{ code, allowed, windowSeconds, unit, remaining: 0, resetSeconds: retryAfterSeconds }]),
  });
}

interface Policy {
  code: LimitCode;
  allowed: number;
  windowSeconds?: number | undefined;
  unit?: "content-bytes" | undefined;
  remaining: number;
  resetSeconds: number;
}

/** `RateLimit` and `RateLimit-Policy` as draft-ietf-httpapi-ratelimit-headers describes them. */
export function rateHeaders(policies: readonly Policy[]): Record<string, string> {
  const name = ({ code }: Policy) => JSON.stringify(policyName(code));
  const quota = ({ allowed, windowSeconds, unit }: Policy) =>
    `q=${allowed}${unit ? `;qu="${unit}"` : ""}${windowSeconds ? `;w=${windowSeconds}` : ""}`;
  return {
    "ratelimit-policy": policies.map((policy) => `${name(policy)};${quota(policy)}`).join(", "),
    ratelimit: policies.map((policy) => `${name(policy)};r=${policy.remaining};t=${policy.resetSeconds}`).join(", "),
  };
}
