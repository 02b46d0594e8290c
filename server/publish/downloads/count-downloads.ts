import type { PackageDownloads } from "@packhouse/contract/packages";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/database.ts";
import { hourOf, type PrivateDownload } from "../../platform/event-log/security-event-store.ts";
import { securityLog } from "../../platform/event-log/security-log.ts";
import type { Watch } from "../../platform/observability/watch.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { type DownloadedFile, dayOf } from "./downloads.ts";
import { type CountedFile, downloadsStore } from "./store.ts";

/** Counts downloads without a statement for each. */
export interface Downloads {
  /**
   * Counts the file once the whole answer is sent, if it includes the file's first byte: not a 304, a HEAD, a range
   * from the middle, nor an aborted answer. Called before the answer is sent.
   */
  countWhenSent(request: FastifyRequest, reply: FastifyReply, file: DownloadedFile): void;
  /** How often the file of a package was downloaded, except for the last seconds. */
  ofPackage(id: number): Promise<PackageDownloads>;
  /** Writes new counts to the database. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const flushEveryMs = 5000;

/** Files per day that are remembered while the database is unreachable; further ones are not counted. */
const mostFiles = 50_000;

interface Context {
  db: Db;
  clock: Clock;
  log: Logger;
  watch: Pick<Watch, "downloaded">;
  settings: Pick<Settings, "securityEvents.downloads">;
}

export function createDownloads({ db, clock, log, watch, settings }: Context): Downloads {
  const counted = createTally<CountedFile>({
    keyOf: ({ repositoryId, digest, day }) => `${repositoryId} ${digest} ${day}`,
    write: (files) => downloadsStore(db).add(files),
    failed: (err, files) => log.warn({ err, files }, "downloads could not be counted yet"),
  });
  const watched = createTally<PrivateDownload>({
    keyOf: ({ userId, repository, digest, at }) => `${userId} ${repository.id} ${digest} ${hourOf(at).getTime()}`,
    write: (files) => securityLog(db, clock()).download(files),
    failed: (err, files) => log.warn({ err, files }, "downloads could not be recorded yet"),
  });
  let flushing: Promise<void> = Promise.resolve();

  const flush = async () => void (await Promise.all([counted.flush(), watched.flush()]));
  const downloads: Downloads = {
    countWhenSent(request, reply, file) {
      if (request.method !== "GET") return;
      reply.raw.once("finish", () => {
        if (!hasFirstByte(request, reply)) return;
        watch.downloaded({ repository: file.repository.name, package: file.package });
        counted.add({ repositoryId: file.repository.id, digest: file.digest, day: dayOf(clock()), count: 1 });
        const { actor, ip: address } = request;
        const { repository, digest } = file;
        if (settings["securityEvents.downloads"] && !file.open && actor)
          watched.add({ userId: actor.id, address, repository, digest, at: clock(), count: 1 });
      });
    },
    ofPackage: (id) => downloadsStore(db).ofPackage(id, clock()),
    flush() {
      flushing = flushing.then(flush);
      return flushing;
    },
    async close() {
      clearInterval(timer);
      await downloads.flush();
    },
  };
  const timer = setInterval(() => void downloads.flush(), flushEveryMs);
  timer.unref();
  return downloads;
}

interface Tallying<Entry> {
  /** Entries with the same key are counted together. */
  keyOf(entry: Entry): string;
  write(entries: readonly Entry[]): Promise<void>;
  failed(error: unknown, entries: number): void;
}

/** Counts in memory until flushed; counts that could not be written are kept for the next flush. */
function createTally<Entry extends { count: number }>({ keyOf, write, failed }: Tallying<Entry>) {
  let entries = new Map<string, Entry>();
  const add = (entry: Entry) => {
    const key = keyOf(entry);
    const known = entries.get(key);
    if (known) known.count += entry.count;
    else if (entries.size < mostFiles) entries.set(key, entry);
  };
  return {
    add,
    async flush() {
      const taken = [...entries.values()];
      if (taken.length === 0) return;
      entries = new Map();
      try {
        await write(taken);
      } catch (error) {
        for (const entry of taken) add(entry);
        failed(error, taken.length);
      }
    },
  };
}

/** Where a bucket sends the bytes, the redirect counts as what it leads to. */
const hasFirstByte = ({ headers }: FastifyRequest, reply: FastifyReply): boolean =>
  reply.statusCode === 200 ||
  (reply.statusCode === 302 && (headers.range ?? "bytes=0-").startsWith("bytes=0-")) ||
  (reply.statusCode === 206 && /^bytes 0-/.test(String(reply.getHeader("content-range"))));
