import type { PackageDownloads } from "@packhouse/contract/packages";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Db } from "../db/database.ts";
import { securityLog } from "../events/security-log.ts";
import { hourOf, type PrivateDownload } from "../events/security-store.ts";
import type { Settings } from "../settings.ts";
import type { Watch } from "../watching/watch.ts";
import { type DownloadedFile, dayOf } from "./downloads.ts";
import { type CountedFile, downloadsStore } from "./store.ts";

/** Counts downloads without a statement for each. */
export interface Downloads {
  /**
   * Counts the file once all of the answer is sent, if that has the file's first byte: not an answer of 304, to HEAD,
   * to a range from the middle, nor one that was broken off. Called before the answer is sent.
   */
  countWhenSent(request: FastifyRequest, reply: FastifyReply, file: DownloadedFile): void;
  /** How often the file of a package was downloaded, but for the last seconds. */
  ofPackage(id: number): Promise<PackageDownloads>;
  /** Adds to the database what was counted since the last time. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const flushEveryMs = 5000;

/** Files of a day that are remembered while the database cannot be reached; further ones are not counted. */
const mostFiles = 50_000;

interface Ground {
  db: Db;
  clock: Clock;
  log: Logger;
  watch: Pick<Watch, "downloaded">;
  settings: Pick<Settings, "securityEvents.downloads">;
}

export function createDownloads({ db, clock, log, watch, settings }: Ground): Downloads {
  let counted = new Map<string, CountedFile>();
  let watched = new Map<string, PrivateDownload>();
  let flushing: Promise<void> = Promise.resolve();

  const add = ({ count, ...file }: CountedFile) => {
    const key = `${file.repositoryId} ${file.digest} ${file.day}`;
    const known = counted.get(key);
    if (known) known.count += count;
    else if (counted.size < mostFiles) counted.set(key, { ...file, count });
  };
  const addPrivate = (download: PrivateDownload) => {
    const { userId, repository, digest, at, count } = download;
    const key = `${userId} ${repository.id} ${digest} ${hourOf(at).getTime()}`;
    const known = watched.get(key);
    if (known) known.count += count;
    else if (watched.size < mostFiles) watched.set(key, download);
  };
  const flushPrivate = async () => {
    const files = [...watched.values()];
    if (files.length === 0) return;
    watched = new Map();
    try {
      await securityLog(db, clock()).download(files);
    } catch (error) {
      for (const file of files) addPrivate(file);
      log.warn({ err: error, files: files.length }, "downloads could not be recorded yet");
    }
  };
  const flushCounted = async () => {
    const files = [...counted.values()];
    if (files.length === 0) return;
    counted = new Map();
    try {
      await downloadsStore(db).add(files);
    } catch (error) {
      for (const file of files) add(file);
      log.warn({ err: error, files: files.length }, "downloads could not be counted yet");
    }
  };
  const flush = async () => void (await Promise.all([flushCounted(), flushPrivate()]));
  const downloads: Downloads = {
    countWhenSent(request, reply, file) {
      if (request.method !== "GET") return;
      reply.raw.once("finish", () => {
        if (!hasFirstByte(reply)) return;
        watch.downloaded({ repository: file.repository.name, package: file.package });
        add({ repositoryId: file.repository.id, digest: file.digest, day: dayOf(clock()), count: 1 });
        const { actor, ip: address } = request;
        const { repository, digest } = file;
        if (settings["securityEvents.downloads"] && !file.open && actor)
          addPrivate({ userId: actor.id, address, repository, digest, at: clock(), count: 1 });
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

const hasFirstByte = (reply: FastifyReply): boolean =>
  reply.statusCode === 200 || (reply.statusCode === 206 && /^bytes 0-/.test(String(reply.getHeader("content-range"))));
