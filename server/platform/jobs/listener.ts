import pg from "pg";
import type { Logger } from "pino";
import { sessionOfServer } from "./running-servers.ts";

/** Notifications from the database, sent at commit to every listening replica. */
export interface Listener {
  /**
   * Calls `heard` with the payload of each notification on the channel. `reconnected` is called whenever the connection
   * is re-established: notifications sent in between are lost, so callers must check for changes themselves.
   */
  listen(channel: string, heard: (payload: string) => void, reconnected?: () => void): Promise<Subscription>;
  /** While false, notifications may be missed. */
  readonly connected: boolean;
  close(): Promise<void>;
}

export interface Subscription {
  close(): Promise<void>;
}

interface Subscriber {
  channel: string;
  heard: (payload: string) => void;
  reconnected: () => void;
}

const heartbeatMs = 10_000;
const longestPauseMs = 10_000;

/** Listens on one dedicated connection for all channels, and reconnects when it is lost. */
export function createListener(connection: pg.PoolConfig, log: Logger): Listener {
  const subscribers = new Set<Subscriber>();
  let client: pg.Client | undefined;
  let connecting: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let closed = false;

  const connect = async () => {
    // A pool's password is not enumerable.
    const next = new pg.Client({ ...connection, password: connection.password, keepAlive: true });
    next.on("error", () => lost(next));
    next.on("end", () => lost(next));
    next.on("notification", ({ channel, payload = "" }) => {
      for (const subscriber of subscribers) if (subscriber.channel === channel) subscriber.heard(payload);
    });
    try {
      await next.connect();
      await next.query(`set application_name = ${next.escapeLiteral(sessionOfServer)}`);
      for (const channel of new Set([...subscribers].map((subscriber) => subscriber.channel)))
        await next.query(`listen ${next.escapeIdentifier(channel)}`);
    } catch (error) {
      await next.end().catch(() => {}); // it was never established
      throw error;
    }
    if (closed) return next.end();
    client = next;
    failures = 0;
    beat(next);
    for (const subscriber of subscribers) subscriber.reconnected();
  };

  const lost = (which: pg.Client) => {
    if (client !== which) return;
    client = undefined;
    clearTimeout(timer);
    which.removeAllListeners();
    which.on("error", () => {}); // its socket may report more errors
    which.end().catch(() => {});
    if (!closed) retry();
  };

  const retry = () => {
    timer = setTimeout(
      () => {
        connecting = connect().catch((error: unknown) => {
          failures += 1;
          log.warn({ err: error }, "cannot listen to the database");
          if (!closed) retry();
        });
      },
      Math.min(longestPauseMs, 100 * 2 ** failures),
    );
    timer.unref();
  };

  /** A silently dropped connection would otherwise never be noticed. */
  const beat = (current: pg.Client) => {
    timer = setTimeout(async () => {
      const silence = setTimeout(() => lost(current), heartbeatMs / 2);
      try {
        await current.query("select 1");
        if (client === current) beat(current);
      } catch {
        lost(current);
      } finally {
        clearTimeout(silence);
      }
    }, heartbeatMs);
    timer.unref();
  };

  return {
    get connected() {
      return client !== undefined;
    },
    async listen(channel, heard, reconnected = () => {}) {
      const subscriber = { channel, heard, reconnected };
      subscribers.add(subscriber);
      await connecting;
      if (client) await client.query(`listen ${client.escapeIdentifier(channel)}`);
      else {
        connecting = connect();
        await connecting;
      }
      return {
        async close() {
          subscribers.delete(subscriber);
        },
      };
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await connecting?.catch(() => {});
      const last = client;
      client = undefined;
      await last?.end();
    },
  };
}
