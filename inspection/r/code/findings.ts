import type { Signal } from "@packhouse/contract/review/inspection";
import { type SignalId, type SignalLevel, signalLevels } from "@packhouse/contract/review/signals";
import { suspiciousCommand } from "../../rules/suspicious-texts.ts";
import { type Finding, lower, signalOf } from "../../signal.ts";
import { isVignette } from "../code-in-documents.ts";
import type { Syntax, SyntaxNode } from "./syntax.ts";

/** More of them in one file help no reviewer. */
const mostPerFile = 300;

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

  add(node: SyntaxNode, found: Found): void {
    if (this.#signals.size >= mostPerFile) return;
    const signal = this.signalAt(node, found);
    const key = JSON.stringify([signal.id, signal.subject, signal.line, signal.excerpt]);
    const earlier = this.#signals.get(key);
    if (!earlier || isHigher(signal.level, earlier.level)) this.#signals.set(key, signal);
  }

  /** The signal, not added: whether it is one depends on other files. */
  signalAt(node: SyntaxNode, { id, level, subject, excerpt = this.#syntax.excerptOf(node) }: Found): Signal {
    const limited = isAside(this.#path) ? lower(level, levelAside(this.#path, id, excerpt ?? "")) : level;
    const line = this.#syntax.lineOf(node);
    return signalWith(limited, id, { subject, file: this.#path, line, excerpt });
  }

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
