import type { Scene } from "./scene.ts";

/** One way to harm the product. It throws when the product did not withstand it. */
export interface Attack {
  /** What is attacked, in plain words; the table of results begins with it. */
  kind: string;
  /** How. */
  variant: string;
  /** Left out of the short form, because it takes long. */
  long?: true;
  /** It may take away what the reader reads, so it comes after the others, and the reader's answers no longer count. */
  disruptive?: true;
  /** For one that takes longer than others may. */
  timeoutMs?: number;
  /** Returns what the product did, in a few words. */
  run(scene: Scene): Promise<string>;
}

/** Of all reads during the whole run, 99 of 100 take at most this long. */
export const p99Ms = 250;

/** What an answer came to, with all of its body read. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  bytes: number;
  tookMs: number;
}

/** Why an attack has succeeded. */
export class Harm extends Error {}

export function must(holds: boolean, harm: string): asserts holds {
  if (!holds) throw new Harm(harm);
}

const shown = (text: string): string => text.slice(0, 160).replaceAll(/\s+/g, " ");

/** The product refuses in its envelope, with a sentence; by 429 it says when to come again. */
export function mustBeRefused(answer: Answer): string {
  const { status, text, headers } = answer;
  must(status >= 400 && status < 500, `it was answered by ${status}: ${shown(text)}`);
  const body: unknown = parsed(text);
  must(
    typeof body === "object" && body !== null && "status" in body && body.status === "ERROR" && "code" in body,
    `the refusal ${status} is not in the envelope: ${shown(text)}`,
  );
  must(body.code === status, `the envelope says another code than ${status}: ${shown(text)}`);
  if (status === 429) must(Number(headers.get("retry-after")) > 0, "429 without Retry-After");
  return `refused (${status})`;
}

/** Either refused, or done with a bounded amount of work: the caller has set a limit on time, this one on size. */
export function mustBeBounded(answer: Answer, mostBytes = 8_500_000): string {
  must(answer.status < 500, `it was answered by ${answer.status}: ${shown(answer.text)}`);
  must(answer.bytes <= mostBytes, `the answer has ${answer.bytes} bytes`);
  if (answer.status >= 400) return mustBeRefused(answer);
  return `done in ${Math.round(answer.tookMs)} ms`;
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
