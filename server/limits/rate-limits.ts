import { isIPv4, isIPv6 } from "node:net";
import type { LimitCode } from "@packhouse/contract/exceeded-limits";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Settings } from "../settings.ts";
import type { Watch } from "../watching/watch.ts";
import { exceeded, rateHeaders, settingOf } from "./exceeded.ts";
import { tokenBuckets } from "./token-buckets.ts";

const minute = 60;
/** How much a request counts that proves nobody's identity: to check it costs more than to answer a known caller. */
const costOfStrangers = 10;

type RateCode = Extract<LimitCode, `too.many.calls${string}` | `too.many.uploads${string}`>;

/** Limits on requests per minute. Each replica counts for itself, in bounded memory. */
export interface RateLimits {
  /** A call of the API, before anybody knows who makes it. */
  callFrom(request: FastifyRequest): void;
  /** It turned out to come from nobody. */
  byStranger(request: FastifyRequest): void;
  /** An attempt to sign in. */
  signInFrom(request: FastifyRequest): void;
  callBy(user: { id: number }, reply: FastifyReply): void;
  uploadBy(user: { id: number }, request: FastifyRequest): void;
  /** How many users and addresses are remembered. */
  keys(): number;
}

export function createRateLimits(settings: Settings, watch: Pick<Watch, "limitExceeded">): RateLimits {
  const limit = (code: RateCode) => {
    const allowed = settings[settingOf[code]];
    const buckets = allowed > 0 ? tokenBuckets(allowed) : undefined;
    return {
      code,
      allowed,
      buckets,
      take(key: string | number, cost = 1) {
        const left = buckets?.take(key, cost);
        if (left?.allowed === false)
          throw exceeded(watch, code, { allowed, windowSeconds: minute, retryAfterSeconds: left.waitSeconds });
        return left;
      },
    };
  };
  const calls = { user: limit("too.many.calls"), address: limit("too.many.calls.from.address") };
  const uploads = { user: limit("too.many.uploads"), address: limit("too.many.uploads.from.address") };

  return {
    callFrom(request) {
      calls.address.take(addressKey(request.ip));
    },
    byStranger(request) {
      calls.address.buckets?.charge(addressKey(request.ip), costOfStrangers - 1);
    },
    signInFrom(request) {
      calls.address.take(addressKey(request.ip), costOfStrangers);
    },
    callBy({ id }, reply) {
      const left = calls.user.take(id);
      if (!left) return;
      const { code, allowed } = calls.user;
      const { remaining, fullSeconds } = left;
      reply.headers(rateHeaders([{ code, allowed, windowSeconds: minute, remaining, resetSeconds: fullSeconds }]));
    },
    uploadBy({ id }, request) {
      uploads.address.take(addressKey(request.ip));
      uploads.user.take(id);
    },
    keys: () =>
      [calls.user, calls.address, uploads.user, uploads.address].reduce((sum, it) => sum + (it.buckets?.size ?? 0), 0),
  };
}

/**
 * A client by its address, which is that of the connection unless a trusted proxy names another. Of IPv6 the network
 * counts (64 bits), because whoever has one address of it has them all.
 */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  if (isIPv4(mapped)) return mapped;
  if (!isIPv6(mapped)) return "unknown";
  const [head = "", tail] = (mapped.split("%")[0] ?? "").split("::");
  const groups = head === "" ? [] : head.split(":");
  const rest = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - rest.length;
  const all = [...groups, ...Array.from({ length: Math.max(0, missing) }, () => "0"), ...rest];
  return `${all
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}
