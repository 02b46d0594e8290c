import type { LimitCode } from "@packhouse/contract/exceeded-limits";
import type { FastifyReply, FastifyRequest } from "fastify";
import { clientNetwork } from "../client-network.ts";
import type { Watch } from "../observability/watch.ts";
import type { Settings } from "../settings/settings.ts";
import { exceeded, rateHeaders, settingOf } from "./exceeded.ts";
import { tokenBuckets } from "./token-buckets.ts";

const minute = 60;
/** The cost of a request without valid credentials: checking it costs more than answering a known caller. */
const costOfStrangers = 10;

type RateCode = Extract<LimitCode, `too.many.calls${string}` | `too.many.uploads${string}`>;

/** Limits on requests per minute. Each replica counts for itself, in bounded memory. */
export interface RateLimits {
  /** An API call, before authentication. */
  callFrom(request: FastifyRequest): void;
  /** Authentication failed. */
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
      calls.address.take(clientNetwork(request.ip));
    },
    byStranger(request) {
      calls.address.buckets?.charge(clientNetwork(request.ip), costOfStrangers - 1);
    },
    signInFrom(request) {
      calls.address.take(clientNetwork(request.ip), costOfStrangers);
    },
    callBy({ id }, reply) {
      const left = calls.user.take(id);
      if (!left) return;
      const { code, allowed } = calls.user;
      const { remaining, fullSeconds } = left;
      reply.headers(rateHeaders([{ code, allowed, windowSeconds: minute, remaining, resetSeconds: fullSeconds }]));
    },
    uploadBy({ id }, request) {
      uploads.address.take(clientNetwork(request.ip));
      uploads.user.take(id);
    },
    keys: () =>
      [calls.user, calls.address, uploads.user, uploads.address].reduce((sum, it) => sum + (it.buckets?.size ?? 0), 0),
  };
}
