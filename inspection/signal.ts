import type { Signal } from "@packhouse/contract/review/inspection";
import { type SignalId, signalLevels, signalRules } from "@packhouse/contract/review/signals";

/** What a rule found; the rest follows from the table of signals. */
export interface Finding {
  subject?: string;
  file?: string | null;
  /** From 1. */
  line?: number | null;
  excerpt?: string | null;
  /** Where this one matters less than the rule's other ones. */
  level?: Signal["level"];
}

const longestExcerpt = 200;
const longestSubject = 200;

/** A signal at its rule's level, or below it. */
export function signalOf(id: SignalId, { subject = "", file = null, line = null, excerpt, level }: Finding): Signal {
  return {
    id,
    level: level === undefined ? signalRules[id].level : lower(signalRules[id].level, level),
    subject: shortened(subject, longestSubject),
    file,
    line,
    excerpt: excerpt === undefined || excerpt === null ? null : shortened(excerpt.trim(), longestExcerpt),
  };
}

/** The lower of two levels. */
export const lower = (a: Signal["level"], b: Signal["level"]): Signal["level"] =>
  signalLevels.indexOf(a) < signalLevels.indexOf(b) ? a : b;

/** As JSON and a database can have it: no zero bytes, no half characters. */
const shortened = (text: string, most: number): string =>
  (text.length > most ? `${text.slice(0, most - 1)}…` : text).toWellFormed().replaceAll("\0", "\u{fffd}");
