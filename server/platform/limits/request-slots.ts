import type { FastifyRequest } from "fastify";
import { Refusal, Unavailable, type UnavailableReason } from "../errors/refusal.ts";

/** How many requests of a kind are handled concurrently, and how many wait for their turn. */
export interface RequestSlots {
  /**
   * Does the work in a slot, in order of arrival. The request body stays unread until then. `gone` is aborted when the
   * client's connection is lost.
   */
  run<Result>(
    user: { id: number },
    request: FastifyRequest,
    work: (gone: AbortSignal) => Promise<Result>,
  ): Promise<Result>;
  readonly running: number;
  readonly waiting: number;
}

interface Waiter {
  userId: number;
  start(): void;
  giveUp(reason: Refusal): void;
}

/**
 * A client that sends its body slower than this loses its slot: otherwise few clients could hold all slots for days.
 */
const slowest = { bytes: 120 * 1024, inMs: 30_000 };

interface SlotLimits {
  parallel: number;
  queue: number;
  waitMs?: number;
  /** Of its refusals. */
  reason: UnavailableReason;
}

/**
 * Slots for costly requests. One user gets at most half of them, so that no single user blocks all others. Beyond the
 * queue, or after `waitMs` in it, a request is refused by 503.
 */
export function createRequestSlots({
  parallel: slots,
  queue: mostWaiting,
  waitMs = 60_000,
  reason,
}: SlotLimits): RequestSlots {
  const perUser = Math.max(1, Math.ceil(slots / 2));
  const ofUser = new Map<number, number>();
  const queue: Waiter[] = [];
  let running = 0;

  const hasRoom = (userId: number) => running < slots && (ofUser.get(userId) ?? 0) < perUser;
  const occupy = (userId: number) => {
    running += 1;
    ofUser.set(userId, (ofUser.get(userId) ?? 0) + 1);
  };
  const release = (userId: number) => {
    running -= 1;
    const left = (ofUser.get(userId) ?? 1) - 1;
    if (left > 0) ofUser.set(userId, left);
    else ofUser.delete(userId);
    const next = queue.findIndex((waiter) => hasRoom(waiter.userId));
    const [waiter] = next < 0 ? [] : queue.splice(next, 1);
    waiter?.start();
  };

  const turn = (userId: number, request: FastifyRequest): Promise<void> => {
    if (hasRoom(userId)) {
      occupy(userId);
      return Promise.resolve();
    }
    if (queue.length >= mostWaiting) return Promise.reject(new Unavailable(reason));
    return new Promise((resolve, reject) => {
      const ended = () => {
        clearTimeout(deadline);
        request.raw.socket.off("close", gone);
        const index = queue.indexOf(waiter);
        if (index >= 0) queue.splice(index, 1);
      };
      const waiter: Waiter = {
        userId,
        start() {
          ended();
          occupy(userId);
          resolve();
        },
        giveUp(reason) {
          ended();
          reject(reason);
        },
      };
      const deadline = setTimeout(() => waiter.giveUp(new Unavailable(reason)), waitMs);
      const gone = () => waiter.giveUp(new Refusal("bad.request"));
      request.raw.socket.once("close", gone);
      queue.push(waiter);
    });
  };

  return {
    async run({ id }, request, work) {
      await turn(id, request);
      const { socket } = request.raw;
      const gone = new AbortController();
      const leave = () => gone.abort(new Refusal("bad.request"));
      socket.once("close", leave);
      const stop = endWhenSlow(request);
      try {
        // The body of an already lost connection never ends, and nothing else would free the slot.
        if (request.raw.destroyed) leave();
        gone.signal.throwIfAborted();
        return await work(gone.signal);
      } finally {
        socket.off("close", leave);
        stop();
        release(id);
      }
    },
    get running() {
      return running;
    },
    get waiting() {
      return queue.length;
    },
  };
}

/** Ends a request whose body is too slow. */
function endWhenSlow({ raw }: FastifyRequest): () => void {
  let seen = raw.socket.bytesRead;
  const timer = setInterval(() => {
    if (raw.complete) clearInterval(timer);
    else if (raw.socket.bytesRead - seen < slowest.bytes) raw.destroy(new Error("the request body arrived too slowly"));
    else seen = raw.socket.bytesRead;
  }, slowest.inMs);
  return () => clearInterval(timer);
}
