import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { z } from "zod";

/** One form of an index, as an installer asks for it. */
interface Form {
  path: string;
  accept?: string;
}

/** Every form of the index of a repository, and how what it names is found. */
export interface WatchedIndex {
  repository: string;
  forms: readonly Form[];
  /** The files that the index names, each with its digest, found by further requests where it takes some. */
  files(index: Buffer, get: Get): Promise<NamedFile[]>;
}
export interface NamedFile {
  path: string;
  algorithm: "md5" | "sha256";
  digest: string;
}
type Get = (path: string, accept?: string) => Promise<Buffer>;

/** What was read of a form, when. */
interface Reading {
  form: string;
  digest: string;
  etag: string;
  startedAt: number;
  endedAt: number;
}

export interface Watcher {
  /** Stops; compares what was read with the rendered serials, and returns the faults and a summary. */
  end(
    serials: readonly number[],
  ): Promise<{ readings: number; files: number; retries: number; longestStalenessMs: number; faults: string[] }>;
}

const rPackages = "src/contrib/PACKAGES";

export const rIndex = (repository: string): WatchedIndex => ({
  repository,
  forms: [{ path: rPackages }, { path: `${rPackages}.gz` }, { path: `${rPackages}.rds` }],
  files: async (index) =>
    index
      .toString()
      .split("\n\n")
      .filter((record) => record.trim() !== "")
      .map((record) => {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(record)?.[1] ?? "";
        return {
          path: `src/contrib/${field("Package")}_${field("Version")}.tar.gz`,
          algorithm: "md5",
          digest: field("MD5sum"),
        };
      }),
});

const json = "application/vnd.pypi.simple.v1+json";

/** With one file in each project, whose pages are read as well. */
export const pythonIndex = (repository: string): WatchedIndex => {
  const known = new Map<string, NamedFile>();
  return {
    repository,
    forms: [{ path: "simple/" }, { path: "simple/", accept: json }],
    async files(index, get) {
      const projects = [...index.toString().matchAll(/<a href="([^"]+)\/"/g)].map(([, name]) => name ?? "");
      for (const project of projects) {
        if (known.has(project)) continue;
        const page = (await get(`simple/${project}/`)).toString();
        const [, link = "", digest = ""] = /href="([^"#]+)#sha256=([0-9a-f]{64})"/.exec(page) ?? [];
        const path = new URL(link, `http://index/simple/${project}/`).pathname.slice(1);
        known.set(project, { path, algorithm: "sha256", digest });
      }
      return [...known.values()];
    },
  };
};

/**
 * Reads all forms of an index over and over, and each file as soon as the index names it, like a client that speaks to
 * whichever replica the balancer gives it. What was read is compared with the serials at the end, since the address of
 * a serial never changes what it serves.
 */
export function watchIndex(address: string, watched: WatchedIndex): Watcher {
  const readings: Reading[] = [];
  const faults: string[] = [];
  const fetched = new Set<string>();
  let retries = 0;
  let ending = false;

  /** A replica that dies in the middle of its answer cuts it short; clients then ask again, and so does this one. */
  async function getWithTag(path: string, accept?: string): Promise<{ bytes: Buffer; etag: string }> {
    for (let tries = 1; ; tries += 1) {
      try {
        const answer = await fetch(`${address}/repo/${watched.repository}/${path}`, {
          headers: { "accept-encoding": "identity", ...(accept ? { accept } : {}) },
        });
        const bytes = Buffer.from(await answer.arrayBuffer());
        if (answer.ok) return { bytes, etag: answer.headers.get("etag") ?? "" };
        if (answer.status < 500) throw new Fault(`${path} answered ${answer.status}`);
      } catch (error) {
        if (error instanceof Fault || tries >= 50) throw error;
      }
      retries += 1;
      await sleep(200);
    }
  }
  const get: Get = async (path, accept) => (await getWithTag(path, accept)).bytes;

  const round = async () => {
    let first: Buffer | undefined;
    for (const [at, { path, accept }] of watched.forms.entries()) {
      const startedAt = performance.now();
      const { bytes, etag } = await getWithTag(path, accept);
      readings.push({ form: String(at), digest: sha256(bytes), etag, startedAt, endedAt: performance.now() });
      first ??= bytes;
    }
    if (!first) return;
    for (const { path, algorithm, digest } of await watched.files(first, get)) {
      if (fetched.has(path)) continue;
      const found = createHash(algorithm)
        .update(await get(path))
        .digest("hex");
      if (found !== digest) faults.push(`${path} has ${algorithm} ${found}, the index says ${digest}`);
      fetched.add(path);
    }
  };
  const watching = (async () => {
    while (!ending) {
      try {
        await round();
      } catch (error) {
        faults.push(error instanceof Error ? error.message : String(error));
      }
      await sleep(20);
    }
  })();

  return {
    async end(serials) {
      ending = true;
      await watching;
      const findings = await evaluate(readings, serials, watched, getWithTag);
      return {
        readings: readings.length,
        files: fetched.size,
        retries,
        longestStalenessMs: findings.longestStalenessMs,
        faults: [...faults, ...findings.faults],
      };
    },
  };
}

class Fault extends Error {}
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** The serials at which the bytes of a form were these. */
interface Held {
  etag: string;
  first: number;
  last: number;
}

/** Compares what was read with every serial, and measures how long an older one was served after a newer one. */
async function evaluate(
  readings: readonly Reading[],
  serials: readonly number[],
  { forms }: WatchedIndex,
  get: (path: string, accept?: string) => Promise<{ bytes: Buffer; etag: string }>,
): Promise<{ longestStalenessMs: number; faults: string[] }> {
  const faults: string[] = [];
  const held = forms.map(() => new Map<string, Held>());
  const read = new Set(readings.map(({ form, digest }) => `${form} ${digest}`));
  for (const serial of serials) {
    const texts: string[] = [];
    for (const [at, { path, accept }] of forms.entries()) {
      const answer = await get(`@${serial}/${path}`, accept);
      const digest = sha256(answer.bytes);
      const known = held[at]?.get(digest);
      if (known) known.last = serial;
      else held[at]?.set(digest, { etag: answer.etag, first: serial, last: serial });
      if (!path.endsWith(".rds")) texts.push(namesIn(path.endsWith(".gz") ? gunzipSync(answer.bytes) : answer.bytes));
    }
    if (new Set(texts).size > 1) faults.push(`the forms of serial ${serial} name different things`);
  }
  let longest = 0;
  const seen: { first: number; endedAt: number }[] = [];
  for (const { form, digest, etag, startedAt, endedAt } of readings) {
    const known = held[Number(form)]?.get(digest);
    if (!known) {
      faults.push(`form ${form} was served with bytes that no serial has`);
      continue;
    }
    if (known.etag !== etag) faults.push(`form ${form} was served with another ETag than its serial has`);
    const newer = seen.find(({ first }) => first > known.last);
    if (newer) longest = Math.max(longest, startedAt - newer.endedAt);
    seen.push({ first: known.first, endedAt });
  }
  if (read.size < 2) faults.push("the index never changed while it was read");
  return { longestStalenessMs: Math.round(longest), faults };
}

const projectList = z.object({ projects: z.array(z.object({ name: z.string() })) });

/** Packages or projects that a form names, in one shape for all. */
function namesIn(text: Buffer): string {
  const all = text.toString();
  if (all.startsWith("{")) {
    return projectList
      .parse(JSON.parse(all))
      .projects.map(({ name }) => name)
      .join();
  }
  if (/^Package: /m.test(all)) return all.trim();
  return [...all.matchAll(/<a [^>]*>([^<]+)<\/a>/g)].map(([, name]) => name).join();
}
