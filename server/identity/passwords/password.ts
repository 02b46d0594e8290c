import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { withoutTrailing } from "@packhouse/formats/trim-characters";
import { tooManyRequests } from "../../platform/errors/refusal.ts";

const derive = promisify(argon2);

// OWASP Password Storage Cheat Sheet: argon2id with at least 19 MiB, 2 passes, 1 lane.
const memoryKib = 19_456;
const passes = 2;
const parallelism = 1;
const tagLength = 32;

/** Hashes a password in the PHC string format: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await tagOf(password, salt, memoryKib, passes, parallelism, tagLength);
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
}

/** Compares in constant time; without a hash (no such person, or none that signs in by password) the answer is no. */
export async function passwordMatches(password: string, hash: string | null | undefined): Promise<boolean> {
  const parsed = parseHash(hash ?? (await nobody));
  if (!parsed) return false;
  const tag = await tagOf(password, parsed.salt, parsed.memory, parsed.passes, parsed.parallelism, parsed.tag.length);
  return timingSafeEqual(tag, parsed.tag) && typeof hash === "string";
}

function parseHash(hash: string) {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(hash);
  if (!match) return undefined;
  const [, memory, passes, parallelism, salt = "", tag = ""] = match;
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, "base64"),
    tag: Buffer.from(tag, "base64"),
  };
}

const tagOf = (
  message: string,
  nonce: Buffer,
  memory: number,
  passes: number,
  parallelism: number,
  tagLength: number,
) => inTurn(() => derive("argon2id", { message, nonce, memory, passes, parallelism, tagLength }));

/**
 * A hash occupies one of the four threads that files are read by, too (libuv), and a core for tens of milliseconds. At
 * most two at once leave threads for files; one core is left for answers where there are several.
 */
const mostAtOnce = Math.max(1, Math.min(2, availableParallelism() - 1));
/** Some two seconds' worth; later ones are asked to try again rather than to wait. */
const mostWaiting = 40;
const retryAfterSeconds = 2;

let atWork = 0;
const waiting: (() => void)[] = [];

/** Throws `too.many.requests` while so many wait that another one would wait for seconds. */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (atWork >= mostAtOnce) {
    if (waiting.length >= mostWaiting) throw tooManyRequests(retryAfterSeconds);
    // Work that ends hands its place on.
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

/** 20 characters of 56: some 116 bits. */
export function generatePassword(): string {
  return Array.from(randomBytes(20), (byte) => alphabet[byte % alphabet.length]).join("");
}

// Compared with when there is no such person, so that a guess of a login takes as long as one of a password.
const nobody = hashPassword(randomBytes(16).toString("hex"));
