import type { Signal } from "@packhouse/contract/review/inspection";
import { type SignalId, type SignalLevel, signalLevels } from "@packhouse/contract/review/signals";
import { suspiciousCommand } from "../../rules/suspicious-texts.ts";
import { type Finding, lower, signalOf } from "../../signal.ts";
import { isVignette } from "../code-in-documents.ts";
import { isSuspicious, suspiciousPart } from "./suspicious-use.ts";
import type { Syntax, SyntaxNode } from "./syntax.ts";

/** More of them in one file help no reviewer. */
const mostPerFile = 300;

const longestExcerpt = 200;
/** Characters of a file. */
const mostJudged = 1_000_000;
const reaching = new Set<SignalId>(["process", "network", "clipboard", "keyring"]);

interface Found {
  id: SignalId;
  level: SignalLevel;
  subject: string;
  /** What the reviewer should see; its text by default. */
  excerpt?: string | null;
}

/** Collects the signals of one file of code; the same observation on one line counts once. */
export class Findings {
  readonly #syntax: Syntax;
  readonly #path: string;
  readonly #signals = new Map<string, Signal>();

  constructor(syntax: Syntax, path: string) {
    this.#syntax = syntax;
    this.#path = path;
  }

  /** Others cannot take the room of warnings, and warnings that have none are missed. */
  add(node: SyntaxNode, found: Found): void {
    const signal = this.signalAt(node, found);
    const key = JSON.stringify([signal.id, signal.subject, signal.line, signal.excerpt]);
    const earlier = this.#signals.get(key);
    if (earlier && !isHigher(signal.level, earlier.level)) return;
    const isWarning = isHigher(signal.level, "notice");
    if (!earlier && this.#counts[isWarning ? "warnings" : "others"]++ >= mostPerFile) {
      if (isWarning) this.leaveOut();
    } else this.#signals.set(key, signal);
  }

  readonly #counts = { warnings: 0, others: 0 };

  /** Something in the file was not examined, or is not shown. */
  leaveOut(): void {
    const found = { subject: "size", file: this.#path, line: 1, excerpt: null };
    this.#signals.set("incomplete", signalWith("warning", "incomplete", found));
  }

  /** The signal, not added: whether it is one depends on other files. */
  signalAt(node: SyntaxNode, { id, level, subject, excerpt = this.#shown(node, id) }: Found): Signal {
    const limited = isAside(this.#path) ? lower(level, levelAside(this.#path, id, excerpt ?? "")) : level;
    const line = this.#syntax.lineOf(node);
    return signalWith(limited, id, { subject, file: this.#path, line, excerpt });
  }

  /** A further use of the same is judged by what is shown: of a long one, that includes what is suspicious. */
  #shown(node: SyntaxNode, id: SignalId): string | null {
    const whole = this.#syntax.excerptOf(node);
    const length = node.end - node.start;
    if (length <= longestExcerpt || !reaching.has(id) || isSuspicious(whole)) return whole;
    this.#judged += length;
    // What is not shown counts as a first use.
    if (this.#judged > mostJudged) return null;
    const part = suspiciousPart(this.#syntax.textOf(node).replace(/[\s\p{Cc}]+/gu, " "));
    return part === undefined ? whole : `${whole.slice(0, longestExcerpt - part.length - 3)}… ${part}`.toWellFormed();
  }

  #judged = 0;

  get signals(): Signal[] {
    return [...this.#signals.values()];
  }
}

/** A signal at a level of its own, which may be above that of the rule. */
export const signalWith = (level: SignalLevel, id: SignalId, finding: Omit<Finding, "level">): Signal => ({
  ...signalOf(id, finding),
  level,
});

export const isHigher = (one: SignalLevel, other: SignalLevel): boolean =>
  signalLevels.indexOf(one) > signalLevels.indexOf(other);

/**
 * Tests and vignettes may reach out, but must not hide code; programs that vignettes start run when the package is
 * built, and suspicious commands are no part of any test.
 */
function levelAside(path: string, id: SignalId, code: string): SignalLevel {
  const isCommand = id === "process" && (isVignette(path) || suspiciousCommand(code) !== undefined);
  return id === "decoded-code" || isCommand ? "warning" : "notice";
}

const asideFolders = [
  ...["tests/", "vignettes/", "demo/", "data-raw/", "inst/doc/", "inst/tests/", "inst/tinytest/"],
  ...["inst/unitTests/", "inst/testthat/", "inst/examples/", "inst/demo/", "doc/", "tools/test"],
];

/** Code that runs neither when the package is installed nor when it is used. */
export const isAside = (path: string): boolean => asideFolders.some((folder) => path.startsWith(folder));
