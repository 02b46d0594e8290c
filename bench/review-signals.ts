import type { Signal } from "@packhouse/contract/review/inspection";
import { type Archive, alarmsOf, type Pair } from "./review/pairs.ts";
import { realUpdates } from "./review/real-updates.ts";
import { tamperedPairs } from "./review/tampered/tampered-pairs.ts";

/** Real releases that are tampered with, next to our own: large and small, with compiled code and without. */
const tampered = ["requests-", "flask-", "paramiko-", "digest_", "curl_", "gh_"];

/** `tampered` or `updates`: one half of it alone. */
const half = process.env.BENCH_HALF;

/**
 * How many tampered releases the review desk flags, and how many real updates it flags by mistake, against the release
 * before. What a reviewer would see of each miss and each false alarm is listed.
 */
export async function reviewSignals(): Promise<string[]> {
  return [...(half === "tampered" ? [] : await falseAlarms()), ...(half === "updates" ? [] : await misses())];
}

async function falseAlarms(): Promise<string[]> {
  const updates = await alarmsIn(realUpdates());
  const alarmed = updates.filter(({ alarms }) => alarms.length > 0);
  return [
    `real updates: ${shareOf(alarmed.length, updates.length)} flagged`,
    ...alarmed.map((outcome) => `  ${shownOutcome(outcome)}`),
  ];
}

async function misses(): Promise<string[]> {
  const found = await alarmsIn(tamperedPairs(await releasesToTamperWith()));
  const missed = found.filter(({ alarms }) => alarms.length === 0);
  return [
    `tampered releases: ${shareOf(found.length - missed.length, found.length)} flagged`,
    ...missed.map(({ name }) => `  missed: ${name}`),
  ];
}

interface Outcome {
  name: string;
  alarms: Signal[];
}

async function alarmsIn(pairs: AsyncIterable<Pair>): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for await (const pair of pairs) {
    const alarms = await alarmsOf(pair);
    const outcome = { name: pair.name, alarms };
    outcomes.push(outcome);
    // It takes an hour: what was seen so far.
    process.stdout.write(`  ${outcomes.length}: ${shownOutcome(outcome)}\n`);
  }
  return outcomes;
}

/** The newest of each kind. */
async function releasesToTamperWith(): Promise<Archive[]> {
  const chosen = new Map<string, Archive>();
  for await (const { after } of realUpdates()) {
    const name = tampered.find((start) => after.fileName.startsWith(start));
    const key = `${name} ${after.kind}`;
    if (name !== undefined && !chosen.has(key)) chosen.set(key, after);
  }
  return [...chosen.values()];
}

const shownOutcome = ({ name, alarms }: Outcome): string =>
  `${name}: ${alarms.length === 0 ? "nothing" : alarms.slice(0, 3).map(shown).join("; ")}`;

const shareOf = (part: number, all: number): string => `${part} of ${all} (${((100 * part) / all).toFixed(1)} %)`;

const shown = ({ level, id, subject, file }: Signal): string => [level, id, subject, file].filter(Boolean).join(" ");
