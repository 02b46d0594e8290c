import { createHmac, timingSafeEqual } from "node:crypto";
import { type MailKind, mailKinds, unsubscribePath } from "@packhouse/contract/mail";

/** What a link stops: these kinds of mail to this user. */
export interface Unsubscription {
  userId: number;
  kinds: MailKind[];
}

const dayMs = 86_400_000;
/** Longer than people keep looking at a mail; a link that has leaked does not work forever. */
const validDays = 365;
const longestToken = 200;

const signed = (text: string, secret: string): string =>
  createHmac("sha256", secret).update(`mail ${text}`).digest("base64url");

/** The address of a link for a mail of now. */
export function unsubscribeAddress(base: string, secret: string, { userId, kinds }: Unsubscription, now: Date): string {
  const lastDay = Math.floor(now.getTime() / dayMs) + validDays;
  const text = `${userId}.${kinds.join("-")}.${lastDay}`;
  return base + unsubscribePath.replace(":token", `${text}.${signed(text, secret)}`);
}

/** What the token of a link stops; undefined unless it was made with the secret and is still valid. */
export function readUnsubscription(token: string, secret: string, now: Date): Unsubscription | undefined {
  if (token.length > longestToken) return undefined;
  const end = token.lastIndexOf(".");
  const text = token.slice(0, Math.max(0, end));
  const [given, expected] = [Buffer.from(token.slice(end + 1)), Buffer.from(signed(text, secret))];
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const [userId = "", kinds = "", lastDay = ""] = text.split(".");
  if (now.getTime() / dayMs > Number(lastDay) + 1) return undefined;
  return { userId: Number(userId), kinds: mailKinds.filter((kind) => kinds.split("-").includes(kind)) };
}
