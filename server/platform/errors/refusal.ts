import { type MessageCode, messages } from "@packhouse/contract/messages";
import { type ViolationCode, violations, violationText } from "@packhouse/contract/violations";

/** An expected "no". Everything else that is thrown is a defect and answers 500. */
export class Refusal extends Error {
  readonly code: MessageCode;
  /** The `data` of the answer. */
  readonly data: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: MessageCode, data: unknown = null, headers: Record<string, string> = {}) {
    super(messages[code].text);
    this.code = code;
    this.data = data;
    this.headers = headers;
  }

  get status(): number {
    return messages[this.code].status;
  }
}

/** What a request would have needed; for operators, who may add some of it. */
export const unavailableReasons = [
  "database",
  "event-loop",
  "large-bodies",
  "memory",
  "repository", // a change before this one took too long
  "shutdown",
  "storage",
  "uploads",
  "workers",
] as const;
export type UnavailableReason = (typeof unavailableReasons)[number];

/** A retry after some seconds may succeed. */
export class Unavailable extends Refusal {
  readonly reason: UnavailableReason;

  constructor(reason: UnavailableReason) {
    super("service.unavailable", null, { "retry-after": "5" });
    this.reason = reason;
  }
}

/** 429 with the time until the next try, in whole seconds, at least one. */
export const tooManyRequests = (retryAfterSeconds: number): Refusal =>
  new Refusal("too.many.requests", null, { "retry-after": String(Math.max(1, Math.ceil(retryAfterSeconds))) });

/** Rules that a record breaks: 422, with a text or the raw code for each. */
export const invalid = (codes: readonly ViolationCode[]): Refusal =>
  new Refusal("error.validation", codes.map(violationText));

/** A patch that cannot be applied, or that changes what must not change. */
export const malformedPatch = (reason: ViolationCode | (string & {})): Refusal =>
  new Refusal("error.malformed.patch", reason in violations ? violationText(reason as ViolationCode) : reason);
