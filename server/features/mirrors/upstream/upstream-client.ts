import { lookup as resolveName } from "node:dns/promises";
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { UpstreamFailure } from "../../../platform/errors/upstream-failure.ts";
import { createSharedSlots } from "../../../platform/jobs/slots.ts";
import { outgoing } from "../../../platform/observability/trace.ts";
import { productVersion } from "../../../platform/product-version.ts";
import type { Settings } from "../../../platform/settings/settings.ts";
import type { Validators } from "../records/store.ts";
import { createPace } from "./pace.ts";
import { isPublicAddress } from "./private-addresses.ts";

export interface ReadIndex extends Validators {
  bytes: Buffer;
  contentType: string;
  /** The final address, behind all redirects: the base of relative links. */
  address: string;
}

/** Reads from third-party servers: slowly, with limits, and from public addresses only unless others are allowed. */
export interface UpstreamClient {
  /** A whole index. `unchanged` when the validators still apply; undefined when there is none. */
  readIndex(
    address: string,
    accept: string,
    known: Validators,
    signal: AbortSignal,
  ): Promise<ReadIndex | "unchanged" | undefined>;
  /** The bytes of a file; a broken connection is resumed where it broke. */
  download(address: string, signal: AbortSignal): AsyncGenerator<Uint8Array>;
  /** Runs a download from this address when it is the turn of its host. */
  inTurn<Result>(address: string, work: () => Promise<Result>): Promise<Result>;
  close(): void;
}

interface ClientOptions {
  /** Whether connecting to an IP address is allowed; by default to public ones. */
  mayReach?: (address: string) => boolean;
  limits?: Partial<ClientLimits>;
}
interface ClientLimits {
  indexBytes: number;
  /** Without a byte received, and until an answer begins. */
  silenceMs: number;
  /** What has to arrive at least in a while: slower transfers would keep others from their turn for hours. */
  slowest: { bytes: number; inMs: number };
  /** For one index or file with all tries, even while bytes arrive. */
  transferMs: number;
  /** Before the second try, the third, … */
  pausesMs: readonly number[];
}
const standardLimits: ClientLimits = {
  indexBytes: 256 * 1024 * 1024,
  silenceMs: 30_000,
  slowest: { bytes: 64 * 1024, inMs: 30_000 },
  transferMs: 60 * 60_000,
  pausesMs: [1000, 5000],
};

const mostRedirects = 5;

type ClientSettings = Pick<
  Settings,
  "mirrors.allowPrivateAddresses" | "mirrors.parallel" | "mirrors.requestsPerSecond"
>;

export function createUpstreamClient(settings: ClientSettings, options: ClientOptions = {}): UpstreamClient {
  const limits = { ...standardLimits, ...options.limits };
  const mayReach = options.mayReach ?? (settings["mirrors.allowPrivateAddresses"] ? () => true : isPublicAddress);
  const pace = createPace(settings["mirrors.requestsPerSecond"]);
  const inTurn = createSharedSlots(settings["mirrors.parallel"]);
  const lookup = checkedLookup(mayReach);
  const agents = { "http:": new HttpAgent({ keepAlive: true }), "https:": new HttpsAgent({ keepAlive: true }) };

  /** One request and the head of its answer. Names are resolved once; only checked addresses are connected to. */
  async function send(url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<IncomingMessage> {
    const host = url.hostname.replace(/^\[|\]$/g, "");
    if (isIP(host) && !mayReach(host)) throw refused(host);
    await pace(url.host, signal);
    const isPlain = url.protocol === "http:";
    const own = { "user-agent": `Packhouse/${productVersion}`, "accept-encoding": "identity", ...headers };
    return outgoing("GET", url, (trace) => {
      return new Promise((resolve, reject) => {
        const request = (isPlain ? requestHttp : requestHttps)(url, {
          agent: agents[isPlain ? "http:" : "https:"],
          lookup,
          headers: { ...own, ...trace },
          signal,
          timeout: limits.silenceMs,
        });
        const giveUp = () => request.destroy(new UpstreamFailure("it stopped responding", true));
        // The head of an answer could arrive byte by byte.
        const headLate = setTimeout(giveUp, limits.silenceMs);
        request.on("timeout", giveUp);
        request.on("close", () => clearTimeout(headLate));
        request.on("error", reject);
        request.on("response", (answer) => {
          clearTimeout(headLate);
          resolve(answer);
        });
        request.end();
      });
    });
  }

  /** Follows redirects, each checked like the first address. */
  async function follow(
    address: string,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<{ answer: IncomingMessage; url: URL }> {
    let url = new URL(address);
    for (let redirects = 0; ; redirects += 1) {
      const answer = await send(url, headers, signal);
      const { statusCode = 0 } = answer;
      const location = answer.headers.location;
      if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) return { answer, url };
      answer.destroy();
      if (redirects === mostRedirects) throw new UpstreamFailure(`it redirects more than ${mostRedirects} times`);
      url = redirected(url, location);
    }
  }

  async function readOnce(
    address: string,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<ReadIndex | "unchanged" | undefined> {
    const { answer, url } = await follow(address, headers, signal);
    try {
      if (answer.statusCode === 304) return "unchanged";
      if (answer.statusCode === 404 || answer.statusCode === 410) return undefined;
      checkStatus(answer, [200]);
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of fastEnough(answer, limits.slowest)) {
        size += chunk.length;
        if (size > limits.indexBytes) throw new UpstreamFailure(`the index has more than ${limits.indexBytes} bytes`);
        chunks.push(chunk);
      }
      return {
        bytes: Buffer.concat(chunks),
        contentType: answer.headers["content-type"] ?? "",
        address: url.href,
        etag: answer.headers.etag ?? null,
        lastModified: answer.headers["last-modified"] ?? null,
      };
    } finally {
      answer.destroy();
    }
  }

  const inTime = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(limits.transferMs)]);

  /** Retries after temporary failures, which `attempt` throws. */
  async function withRetries<Result>(
    signal: AbortSignal,
    attempt: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const limited = inTime(signal);
    for (let tried = 0; ; tried += 1) {
      try {
        return await attempt(limited);
      } catch (error) {
        await rest(error, tried, { signal, limited });
      }
    }
  }

  /** Waits before the next try, if there is one. */
  async function rest(
    error: unknown,
    tried: number,
    { signal, limited }: { signal: AbortSignal; limited: AbortSignal },
  ): Promise<void> {
    signal.throwIfAborted();
    if (limited.aborted) throw new UpstreamFailure("it took too long", true);
    const pause = limits.pausesMs[tried];
    const failure = asFailure(error);
    if (!failure?.passing || pause === undefined) throw failure ?? error;
    await sleep(pause, undefined, { signal });
  }

  return {
    inTurn: (address, work) => inTurn(URL.canParse(address) ? new URL(address).host : address, work),
    readIndex(address, accept, known, signal) {
      const headers = {
        accept,
        ...(known.etag ? { "if-none-match": known.etag } : {}),
        ...(known.lastModified ? { "if-modified-since": known.lastModified } : {}),
      };
      return withRetries(signal, (limited) => readOnce(address, headers, limited));
    },
    async *download(address, signal) {
      let received = 0;
      let state: Validators | undefined;
      const limited = inTime(signal);
      for (let tried = 0; ; tried += 1) {
        let answer: IncomingMessage | undefined;
        try {
          ({ answer } = await follow(address, continuing(received, state), limited));
          const skipped = checkContinued(answer, received, state);
          state ??= { etag: answer.headers.etag ?? null, lastModified: answer.headers["last-modified"] ?? null };
          for await (const chunk of withoutFirst(fastEnough(answer, limits.slowest), skipped)) {
            received += chunk.length;
            yield chunk;
          }
          return;
        } catch (error) {
          await rest(error, tried, { signal, limited });
        } finally {
          answer?.destroy();
        }
      }
    },
    close() {
      agents["http:"].destroy();
      agents["https:"].destroy();
    },
  };
}

const refused = (address: string): UpstreamFailure =>
  new UpstreamFailure(`${address} is not a public address; mirrors.allowPrivateAddresses allows such addresses`);

/**
 * Resolves a name for the very connection that uses it, so that no second answer of the name server leads elsewhere.
 * A single forbidden address is enough to refuse the name.
 */
function checkedLookup(mayReach: (address: string) => boolean): LookupFunction {
  return (name, options, done) => {
    resolveName(name, { ...options, all: true }).then(
      (found) => {
        const closed = found.find(({ address }) => !mayReach(address));
        const [first] = found;
        if (closed) done(refused(closed.address), "");
        else if (options.all) done(null, found);
        else if (first) done(null, first.address, first.family);
        else done(new UpstreamFailure(`${name} has no address`, true), "");
      },
      () => done(new UpstreamFailure(`the name ${name} cannot be resolved`, true), ""),
    );
  };
}

function redirected(from: URL, location: string): URL {
  if (!URL.canParse(location, from.href)) throw new UpstreamFailure("it redirects to an invalid address");
  const url = new URL(location, from.href);
  if (!/^https?:$/.test(url.protocol))
    throw new UpstreamFailure(`it redirects to ${url.protocol}, which is not followed`);
  if (from.protocol === "https:" && url.protocol === "http:")
    throw new UpstreamFailure("it redirects from https to http, which is not followed");
  return url;
}

function checkStatus(answer: IncomingMessage, wanted: readonly number[]): void {
  const { statusCode = 0 } = answer;
  if (wanted.includes(statusCode)) return;
  if (statusCode === 404 || statusCode === 410) throw new UpstreamFailure("not found (404)");
  throw new UpstreamFailure(`the server responded with ${statusCode}`, statusCode === 429 || statusCode >= 500);
}

/** Headers that ask for the rest of a file, if it is still the same. */
function continuing(received: number, state: Validators | undefined): Record<string, string> {
  if (received === 0) return {};
  const strong = state?.etag?.startsWith('"') ? state.etag : (state?.lastModified ?? undefined);
  return { range: `bytes=${received}-`, ...(strong ? { "if-range": strong } : {}) };
}

/** How many bytes are there already. A file that has changed in between cannot be put together. */
function checkContinued(answer: IncomingMessage, received: number, state: Validators | undefined): number {
  checkStatus(answer, received > 0 ? [200, 206] : [200]);
  const { etag = null, "last-modified": lastModified = null, "content-range": range } = answer.headers;
  const same = state === undefined || (state.etag === etag && state.lastModified === lastModified);
  if (!same) throw new UpstreamFailure("the file changed while it was downloaded");
  if (answer.statusCode === 200) return received;
  if (!range?.startsWith(`bytes ${received}-`))
    throw new UpstreamFailure("the server continued the file at the wrong position");
  return 0;
}

/** Fails where the rest of an answer arrives too slowly; time that its reader takes does not count. */
async function* fastEnough(answer: IncomingMessage, { bytes, inMs }: ClientLimits["slowest"]): AsyncGenerator<Buffer> {
  let received = 0;
  let readerMs = 0;
  let readerBegan: number | undefined;
  const timer = setInterval(() => {
    const waitedForReader = readerBegan !== undefined || readerMs > inMs / 2;
    if (received < bytes && !waitedForReader) answer.destroy(new UpstreamFailure("it sends too slowly", true));
    received = 0;
    readerMs = 0;
  }, inMs);
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      received += chunk.length;
      readerBegan = performance.now();
      yield chunk;
      readerMs += performance.now() - readerBegan;
      readerBegan = undefined;
    }
  } finally {
    clearInterval(timer);
  }
}

async function* withoutFirst(chunks: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let left = count;
  for await (const chunk of chunks) {
    if (left < chunk.length) yield left > 0 ? chunk.subarray(left) : chunk;
    left = Math.max(0, left - chunk.length);
  }
}

const networkCodes = new Map([
  ["ECONNRESET", "the connection broke"],
  ["ECONNREFUSED", "the server does not respond"],
  ["ETIMEDOUT", "the server does not respond"],
  ["EHOSTUNREACH", "the server cannot be reached"],
  ["ENETUNREACH", "the server cannot be reached"],
  ["EPIPE", "the connection broke"],
  ["ERR_STREAM_PREMATURE_CLOSE", "the connection broke"],
]);

/** A network failure as one of the upstream; undefined: another kind of error. */
function asFailure(error: unknown): UpstreamFailure | undefined {
  if (error instanceof UpstreamFailure) return error;
  if (!(error instanceof Error)) return undefined;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const reason = networkCodes.get(code);
  if (reason) return new UpstreamFailure(reason, true);
  // Errors of the parsers of HTTP and TLS: invalid answers and certificates.
  if (/^(HPE_|ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO|UNABLE_TO_|SELF_SIGNED|EPROTO)/.test(code))
    return new UpstreamFailure(`the connection failed: ${code}`);
  return undefined;
}
