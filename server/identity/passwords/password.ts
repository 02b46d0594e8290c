import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { withoutTrailing } from "@packhouse/formats/trim-characters";
import { tooManyRequests } from "../../platform/errors/refusal.ts";
import { guessingCost } from "../../platform/secrets/guessing-cost.ts";

const derive = promisify(argon2);

const cost = guessingCost.argon2;

/** Hashes a password in the PHC string format: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await tagOf({ message: password, nonce, tagLength: 32, ...cost });
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;
}

/** Compares in constant time; false without a hash (no such user, or one without a password). */
export async function passwordMatches(password: string, hash: string | null | undefined): Promise<boolean> {
  const parsed = parseHash(hash ?? (await nobody));
  if (!parsed) return false;
  const { tag: expected, ...parameters } = parsed;
  const tag = await tagOf({ message: password, tagLength: expected.length, ...parameters });
  return timingSafeEqual(tag, expected) && typeof hash === "string";
}

function parseHash(hash: string) {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(hash);
  if (!match) return undefined;
  const [, memory, passes, parallelism, salt = "", tag = ""] = match;
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(salt, "base64"),
    tag: Buffer.from(tag, "base64"),
  };
}

const tagOf = (parameters: Argon2Parameters) => inTurn(() => derive("argon2id", parameters));

/**
 * A hash occupies one of libuv's four threads, which also read files, and a core for tens of milliseconds. A limit of
 * two leaves threads for files; on multi-core machines one core stays free for requests.
 */
const mostAtOnce = Math.max(1, Math.min(2, availableParallelism() - 1));
/** About two seconds' worth; further callers are asked to try again. */
const mostWaiting = 40;
const retryAfterSeconds = 2;

let atWork = 0;
const waiting: (() => void)[] = [];

/** Throws `too.many.requests` while the queue is so long that another caller would wait for seconds. */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (atWork >= mostAtOnce) {
    if (waiting.length >= mostWaiting) throw tooManyRequests(retryAfterSeconds);
    // A finished hash passes its slot to the next one.
    await new Promise<void>((resume) => waiting.push(resume));
  } else atWork += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else atWork -= 1;
  }
}

const unpadded = (bytes: Buffer): string => withoutTrailing(bytes.toString("base64"), "=");

// Readable aloud: no 0/O, 1/l/I.
const alphabet = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** 20 characters out of 56: about 116 bits. */
export function generatePassword(): string {
  return Array.from(randomBytes(20), (byte) => alphabet[byte % alphabet.length]).join("");
}

// Used when there is no such user, so that unknown logins take as long as wrong passwords.
const nobody = hashPassword(randomBytes(16).toString("hex"));
