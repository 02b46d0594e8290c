/** What is left for a client after a request. */
export interface Allowance {
  allowed: boolean;
  /** Whole units that are left. */
  remaining: number;
  /** Seconds until the same request can be made again; 0 if it can be made now. */
  waitSeconds: number;
  /** Seconds until the bucket is full again. */
  fullSeconds: number;
}

export interface TokenBuckets {
  /** Takes `cost` units, or none where there are not so many. */
  take(key: string | number, cost?: number): Allowance;
  /** Takes units that are already owed, as far as available. */
  charge(key: string | number, cost: number): void;
  readonly size: number;
}

/**
 * A bucket for each key: it holds as many units as a minute gives, and fills steadily. Each call costs the same however
 * many keys there are. Beyond `mostKeys`, keys that have not been used for a long time are forgotten.
 */
export function tokenBuckets(
  perMinute: number,
  { mostKeys = 20_000, now = () => performance.now() }: { mostKeys?: number; now?: () => number } = {},
): TokenBuckets {
  const perMs = perMinute / 60_000;
  // Two generations: the older one is dropped as a whole when the younger one is full. Finding the oldest key of a
  // single map gets slower the more keys were removed from it.
  let young = new Map<string | number, { units: number; at: number }>();
  let old: typeof young = new Map();

  function current(key: string | number) {
    const at = now();
    const known = young.get(key) ?? old.get(key);
    const bucket = known ?? { units: perMinute, at };
    bucket.units = Math.min(perMinute, bucket.units + (at - bucket.at) * perMs);
    bucket.at = at;
    if (young.size >= mostKeys / 2 && !young.has(key)) {
      old = young;
      young = new Map();
    }
    young.set(key, bucket);
    return bucket;
  }

  return {
    take(key, cost = 1) {
      const bucket = current(key);
      const allowed = bucket.units >= cost;
      if (allowed) bucket.units -= cost;
      return {
        allowed,
        remaining: Math.floor(bucket.units),
        waitSeconds: Math.ceil(Math.max(0, cost - bucket.units) / perMs / 1000),
        fullSeconds: Math.ceil((perMinute - bucket.units) / perMs / 1000),
      };
    },
    charge(key, cost) {
      const bucket = current(key);
      bucket.units = Math.max(0, bucket.units - cost);
    },
    get size() {
      return young.size + old.size;
    },
  };
}
