/** One operation of a JSON patch (RFC 6902, section 4). */
export type PatchOperation =
  | { op: "add" | "replace" | "test"; path: string; value: unknown }
  | { op: "remove"; path: string }
  | { op: "move" | "copy"; path: string; from: string };

export interface PatchLimits {
  /** Of the document as JSON, after every operation; one that is already larger may not grow. */
  documentBytes: number;
  /** Nesting depth of objects and arrays. */
  depth: number;
  /** Bytes that all operations together may read, compare or copy, plus some per value, in addition to the document. */
  work: number;
}

export const patchLimits: PatchLimits = { documentBytes: 1024 * 1024, depth: 64, work: 8 * 1024 * 1024 };

/** Why a patch cannot be applied, as a sentence for people. */
export class PatchFailure extends Error {}

/**
 * Applies operations to the document, which is changed in place; throws `PatchFailure` at the first one that cannot be
 * applied. What an operation would cost and how large it would leave the document are known before it is applied: a few
 * copies, each of which doubles a value, would otherwise take all memory. The document itself cannot be replaced.
 */
export function applyPatch(
  document: unknown,
  operations: readonly PatchOperation[],
  limits: PatchLimits = patchLimits,
): void {
  const meter = new Meter(measure(document, Number.POSITIVE_INFINITY), limits);
  for (const operation of operations) apply(document, operation, meter);
}

function apply(document: unknown, operation: PatchOperation, meter: Meter): void {
  const tokens = tokensOf(operation.path);
  meter.spend(operation.path.length);
  switch (operation.op) {
    case "add":
      add(document, tokens, operation.value, meter);
      return;
    case "replace": {
      const place = existing(document, tokens);
      put(place, operation.value, meter, meter.sizeOf(place.value));
      return;
    }
    case "test": {
      const { value } = tokens.length === 0 ? { value: document } : existing(document, tokens);
      meter.grow(0, meter.measure(operation.value).depth);
      if (!equal(value, operation.value)) throw new PatchFailure(`Test failed at path: ${shown(tokens)}`);
      return;
    }
    case "remove":
      remove(existing(document, tokens), meter);
      return;
    case "move": {
      const source = sourceOf(document, operation.from, tokens, meter);
      const { value } = source;
      remove(source, meter);
      add(document, tokens, value, meter);
      return;
    }
    case "copy": {
      const { value } = sourceOf(document, operation.from, tokens, meter);
      add(document, tokens, value, meter);
      return;
    }
  }
}

type Container = Record<string, unknown> | unknown[];

interface Place {
  container: Container;
  key: string;
  value: unknown;
  /** Of the container below the document. */
  depth: number;
}

function sourceOf(document: unknown, from: string, to: readonly string[], meter: Meter): Place {
  const tokens = tokensOf(from);
  meter.spend(from.length);
  if (tokens.every((token, index) => token === to[index]))
    throw new PatchFailure(`A value cannot be moved into itself: ${shown(tokens)} to ${shown(to)}`);
  return existing(document, tokens);
}

/** The location of an existing value. */
function existing(document: unknown, tokens: readonly string[]): Place {
  const { container, key, depth } = containerOf(document, tokens);
  const value = memberOf(container, key);
  if (value === undefined) throw new PatchFailure(`Value required at path: ${shown(tokens)}`);
  return { container, key, value, depth };
}

function containerOf(document: unknown, tokens: readonly string[]): Omit<Place, "value"> {
  const key = tokens.at(-1);
  let container = document;
  for (const token of tokens.slice(0, -1)) container = isContainer(container) ? memberOf(container, token) : undefined;
  if (key === undefined || !isContainer(container)) throw new PatchFailure(`Value required at path: ${shown(tokens)}`);
  return { container, key, depth: tokens.length };
}

function add(document: unknown, tokens: readonly string[], value: unknown, meter: Meter): void {
  const { container, key, depth } = containerOf(document, tokens);
  if (!Array.isArray(container)) {
    const replaced = memberOf(container, key);
    put({ container, key, value: replaced, depth }, value, meter, meter.sizeOf(replaced));
    return;
  }
  const index = key === "-" ? container.length : indexOf(key);
  if (index === undefined || index > container.length)
    throw new PatchFailure(`Value required at path: ${shown(tokens)}`);
  const { bytes, depth: valueDepth } = meter.measure(value);
  meter.spend(container.length - index); // all later elements move
  meter.grow(bytes + 1, depth + valueDepth);
  container.splice(index, 0, structuredClone(value));
}

function put({ container, key, depth }: Place, value: unknown, meter: Meter, replacedBytes: number): void {
  const { bytes, depth: valueDepth } = meter.measure(value);
  const isNew = memberOf(container, key) === undefined;
  meter.grow(bytes - replacedBytes + (isNew ? entryBytes(container, key) : 0), depth + valueDepth);
  const own = structuredClone(value); // after its size is known to fit
  if (Array.isArray(container)) container[Number(key)] = own;
  else container[key] = own;
}

function remove({ container, key, value }: Place, meter: Meter): void {
  const bytes = meter.sizeOf(value);
  if (Array.isArray(container)) {
    meter.spend(container.length - Number(key));
    container.splice(Number(key), 1);
  } else delete container[key];
  meter.grow(-bytes - entryBytes(container, key), 0);
}

/** Many small values take longer than a few large ones of as many bytes. */
const workOfValue = 8;

/** What has been spent on a patch, and the size of its document. */
class Meter {
  #bytes: number;
  #work: number;
  readonly #mostBytes: number;
  readonly #mostDepth: number;

  constructor(document: { bytes: number; values: number }, { documentBytes, depth, work }: PatchLimits) {
    this.#bytes = document.bytes;
    this.#mostBytes = Math.max(documentBytes, document.bytes);
    this.#mostDepth = depth;
    this.#work = work + 2 * (document.bytes + workOfValue * document.values);
  }

  spend(work: number): void {
    this.#work -= work;
    if (this.#work < 0) throw new PatchFailure("The patch requires too much work");
  }

  measure(value: unknown): { bytes: number; depth: number } {
    const measured = measure(value, this.#work);
    this.spend(measured.bytes + workOfValue * measured.values);
    return measured;
  }

  sizeOf(value: unknown): number {
    return value === undefined ? 0 : this.measure(value).bytes;
  }

  /** Refuses what would make the document too large or too deep, before it is done. */
  grow(bytes: number, depth: number): void {
    if (depth > this.#mostDepth)
      throw new PatchFailure(`The record would be nested deeper than ${this.#mostDepth} levels`);
    const after = this.#bytes + bytes;
    if (bytes > 0 && after > this.#mostBytes)
      throw new PatchFailure(`The record would be larger than ${this.#mostBytes} bytes`);
    this.#bytes = after;
  }
}

/**
 * How many bytes a value has as JSON (a comma is counted for each entry), and how deep it is; stops once it is larger
 * than `most`. Without recursion, since what came from outside may be deeper than the stack.
 */
export function measure(value: unknown, most: number): { bytes: number; depth: number; values: number } {
  let bytes = 0;
  let values = 0;
  let deepest = 0;
  const open: { value: unknown; depth: number }[] = [{ value, depth: 1 }];
  for (let next = open.pop(); next && bytes <= most; next = open.pop()) {
    const { value: one, depth } = next;
    values += 1;
    if (!isContainer(one)) {
      bytes += textBytes(one);
      continue;
    }
    bytes += 2;
    deepest = Math.max(deepest, depth);
    for (const [key, entry] of Object.entries(one)) {
      bytes += entryBytes(one, key);
      open.push({ value: entry, depth: depth + 1 });
    }
  }
  return { bytes, depth: deepest, values };
}

/** What an entry takes in addition to its value. */
const entryBytes = (container: Container, key: string): number => (Array.isArray(container) ? 1 : textBytes(key) + 2);

const textBytes = (value: unknown): number => {
  if (typeof value === "number" || typeof value === "boolean" || value === null) return String(value).length;
  const text = JSON.stringify(value) as string | undefined; // undefined for what is no JSON
  return text === undefined ? 0 : Buffer.byteLength(text);
};

const isContainer = (value: unknown): value is Container =>
  typeof value === "object" && value !== null && !(value instanceof Date);

function memberOf(container: Container, key: string): unknown {
  if (!Array.isArray(container)) return Object.hasOwn(container, key) ? container[key] : undefined;
  const index = indexOf(key);
  return index === undefined ? undefined : container[index];
}

/** RFC 6901: no sign, no leading zero. */
const indexOf = (token: string): number | undefined => (/^(0|[1-9]\d{0,8})$/.test(token) ? Number(token) : undefined);

const tokensOf = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));

const longestShown = 200;

const shown = (tokens: readonly string[]): string => {
  const pointer = tokens.map((token) => `/${token}`).join("");
  return pointer.length > longestShown ? `${pointer.slice(0, longestShown)}…` : pointer;
};

/** Equal as JSON values. Neither is deeper than the limit that was checked before. */
function equal(one: unknown, other: unknown): boolean {
  if (!isContainer(one) || !isContainer(other)) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && equal(memberOf(one, key), memberOf(other, key)))
  );
}

/** The worker task: a new document, or why the patch cannot be applied. */
export function applyPatchTo({
  document,
  operations,
}: {
  document: object;
  operations: readonly PatchOperation[];
}): { document: object } | { failure: string } {
  try {
    applyPatch(document, operations);
    return { document };
  } catch (error) {
    if (error instanceof PatchFailure) return { failure: error.message };
    throw error;
  }
}
