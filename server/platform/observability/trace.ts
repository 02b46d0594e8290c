import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { noteStep } from "./stalls.ts";

/** A position in a trace, as in `traceparent` (W3C Trace Context): 32 and 16 hexadecimal digits. */
export interface TracePlace {
  traceId: string;
  spanId: string;
  /** Whether the originator of the trace records it. */
  sampled: boolean;
}

/** What a request or a job is part of while it runs. Log lines, spans and requests to other servers carry it. */
interface Trace extends TracePlace {
  /** Of the request or job. */
  name: string;
  /** Ids of further traces for which the same work is done: jobs are batched. */
  alsoFor: readonly string[];
  recorder: SpanRecorder | undefined;
}

type SpanKind = "server" | "client" | "consumer" | "internal";
export type Attributes = Record<string, string | number | boolean>;

export interface NewSpan {
  name: string;
  kind: SpanKind;
  attributes: Attributes;
  parent?: TracePlace | undefined;
  /** Positions in other traces that also led to this span. */
  links?: readonly TracePlace[];
  /** Now unless given. */
  startedAt?: Date;
}

export interface OpenSpan extends TracePlace {
  end(how?: { error?: unknown; attributes?: Attributes }): void;
}

/** Exports spans to a collector. */
export interface SpanRecorder {
  start(span: NewSpan): OpenSpan;
  /** Sends what is left, for a bounded time. */
  close(): Promise<void>;
}

const current = new AsyncLocalStorage<Trace>();

/** Begins this server's part of a trace: a request or a job. */
export function beginTrace(
  recorder: SpanRecorder | undefined,
  span: NewSpan,
): { place: TracePlace; run<Result>(work: () => Result): Result; end: OpenSpan["end"] } {
  const { parent, links = [] } = span;
  const open = recorder?.start(span);
  const { traceId, spanId, sampled } = open ?? parent ?? newPlace();
  const alsoFor = [...new Set(links.map((link) => link.traceId))].filter((id) => id !== traceId);
  const trace: Trace = { name: span.name, traceId, spanId, sampled, alsoFor, recorder };
  return {
    place: trace,
    run(work) {
      noteStep(span.name);
      return current.run(trace, work);
    },
    end: (how) => open?.end(how),
  };
}

/** Notes that the surrounding request or job resumes; see `stalls.ts`. */
export function noteProgress(): void {
  const trace = current.getStore();
  if (trace) noteStep(trace.name);
}

function newPlace(): TracePlace {
  // Of all random sources of Node the cheapest: it fetches for many at once.
  const digits = () => randomUUID().replaceAll("-", "");
  return { traceId: digits(), spanId: digits().slice(16), sampled: false };
}

/** Runs work as a separate span if traces are recorded, and otherwise just runs it. */
export async function inSpan<Result>(
  span: Omit<NewSpan, "parent" | "links" | "startedAt">,
  work: () => Promise<Result>,
): Promise<Result> {
  const trace = current.getStore();
  if (!trace?.recorder) return work();
  const open = trace.recorder.start({ ...span, parent: trace });
  const { spanId, sampled } = open;
  try {
    const result = await current.run({ ...trace, spanId, sampled }, work);
    open.end();
    return result;
  } catch (error) {
    open.end({ error });
    throw error;
  }
}

/** A request to another server, with headers that continue the trace. */
export const outgoing = <Result>(
  method: string,
  { host, pathname }: URL,
  send: (headers: Record<string, string>) => Promise<Result>,
): Promise<Result> =>
  inSpan(
    {
      name: `${method} ${host}`,
      kind: "client",
      attributes: { "http.request.method": method, "server.address": host, "url.path": pathname },
    },
    () => send(traceHeaders()),
  );

/** Records a span that has just ended, by its duration. */
export function recordSpan(
  span: Omit<NewSpan, "parent" | "links" | "startedAt">,
  tookMs: number,
  error: unknown,
): void {
  const trace = current.getStore();
  trace?.recorder
    ?.start({ ...span, parent: trace, startedAt: new Date(Date.now() - tookMs) })
    .end(error === undefined ? {} : { error });
}

/** For jobs that continue the trace; undefined outside of any. */
export function traceparent(): string | undefined {
  const trace = current.getStore();
  return trace && `00-${trace.traceId}-${trace.spanId}-${trace.sampled ? "01" : "00"}`;
}

function traceHeaders(): Record<string, string> {
  const value = traceparent();
  return value === undefined ? {} : { traceparent: value };
}

/** The trace fields of each log line. */
export function traceFields(): { traceId?: string; alsoFor?: readonly string[] } {
  const trace = current.getStore();
  if (!trace) return {};
  const { traceId, alsoFor } = trace;
  return alsoFor.length === 0 ? { traceId } : { traceId, alsoFor };
}

/** Parses a `traceparent`; undefined if invalid. Later versions may have more parts. */
export function readTraceparent(text: unknown): TracePlace | undefined {
  if (typeof text !== "string") return undefined;
  const [all = "", version, traceId = "", spanId = "", flags = ""] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/.exec(text) ?? [];
  const rest = text.slice(all.length);
  if (version === undefined || version === "ff" || (rest !== "" && (version === "00" || !rest.startsWith("-"))))
    return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
