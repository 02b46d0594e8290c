import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ByteRange } from "../../platform/storage/storage.ts";

/** Content that is sent as it is. */
export interface Sendable {
  /** Equal for equal bytes. */
  digest: string;
  size: number;
  type: string;
  cacheControl: string;
  /** Request headers on which the choice of these bytes depends. */
  vary: readonly string[];
  coding?: "gzip" | undefined;
  /** Reads all of it, or a range. */
  read(range?: ByteRange): Promise<Readable | Uint8Array> | Readable | Uint8Array;
  /** Where the same bytes are for those who may have them now, if not from here. */
  elsewhere?: (() => Promise<string>) | undefined;
  /** Whether ranges are supported. */
  ranges: boolean;
}

/** Answers GET and HEAD per RFC 9110: 304 if the client has it, 206 and 416 for ranges, else the whole content. */
export async function sendBytes(request: FastifyRequest, reply: FastifyReply, it: Sendable): Promise<FastifyReply> {
  const etag = `"${it.digest}"`;
  reply.header("etag", etag).header("cache-control", it.cacheControl);
  if (it.vary.length > 0) reply.header("vary", it.vary.join(", "));
  if (matches(request.headers["if-none-match"], etag)) return reply.code(304).send();
  if (it.elsewhere && request.method === "GET")
    // The address expires soon, so caches must not keep the redirect.
    return reply.header("cache-control", "no-store").redirect(await it.elsewhere(), 302);

  reply.header("content-type", it.type);
  if (it.coding) reply.header("content-encoding", it.coding);
  if (it.ranges) reply.header("accept-ranges", "bytes");
  // RFC 9110, 14.2: HEAD is answered as if no range were asked for.
  const range = it.ranges && request.method === "GET" ? wantedRange(request, etag, it.size) : undefined;
  if (range === "unsatisfiable")
    return reply
      .code(416)
      .header("content-range", `bytes */${it.size}`)
      .header("cache-control", "no-store") // a cache might repeat it for a request without a range
      .type("text/plain; charset=utf-8")
      .send("No such range\n");
  if (range) reply.code(206).header("content-range", `bytes ${range.start}-${range.end}/${it.size}`);
  reply.header("content-length", range ? range.end - range.start + 1 : it.size);
  return request.method === "HEAD" ? reply.send() : reply.send(await it.read(range));
}

/** RFC 9110, 13.1.2: weak comparison, so a `W/` added by a proxy does no harm. */
export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(",").some((given) => {
    const tag = given.trim();
    return tag === "*" || tag.replace(/^W\//, "") === etag;
  });
}

function wantedRange(request: FastifyRequest, etag: string, size: number): ByteRange | "unsatisfiable" | undefined {
  const { range, "if-range": ifRange } = request.headers;
  // A client that resumes another version of the file gets all of this one.
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined;
  return readRange(range, size);
}

/**
 * One range of RFC 9110, 14.1.2; several ranges and invalid ones are answered with the whole file. The usual library
 * (`range-parser`) answers 416 to a suffix longer than the file and to `9-0`, where the RFC wants the whole file.
 */
export function readRange(text: string, size: number): ByteRange | "unsatisfiable" | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(text.trim());
  const [first = "", last = ""] = match?.slice(1) ?? [];
  if (!match || (first === "" && last === "")) return undefined;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return undefined;
  if (start >= size) return "unsatisfiable";
  return { start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}
