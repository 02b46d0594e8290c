import type { SignalId } from "@packhouse/contract/review/signals";
import type { Names } from "../syntax/names.ts";
import type { Place, Syntax } from "../syntax/syntax.ts";
import type { Decoding } from "./decoding.ts";
import type { Moments } from "./moments.ts";

/** A file of code whose signals are being read. */
export interface FileCode {
  path: string;
  syntax: Syntax;
  names: Names;
  moments: Moments;
  decoding: Decoding;
  add(id: SignalId, place: Place, finding: Finding): void;
  /** Whether something that uses the network was found in a function. */
  isNetworked(inside: Place): boolean;
}

export interface Finding {
  subject: string;
  topic?: string;
  isRaised?: boolean;
  isQuiet?: boolean;
}

/** Past this, only what is suspicious in itself is listed; a file that people wrote has a few. */
export const mostFound = 300;

/** Whether an assignment gives something another name, by which it is known wherever that is used. */
export function isAlias(syntax: Syntax, assignment: Place): boolean {
  const left = syntax.child(assignment, "left");
  if (left === undefined || syntax.kind(left) !== "identifier") return false;
  return !syntax.text(left).startsWith("__");
}

/** The texts that arguments contain, also through variables. */
export function textsIn({ syntax, names }: Pick<FileCode, "syntax" | "names">, places: readonly Place[]): string[] {
  const texts: string[] = [];
  for (const place of places.slice(0, 20)) {
    const constant = names.constant(place)?.value;
    if (typeof constant === "string") texts.push(constant);
    else if (Array.isArray(constant)) texts.push(...constant.map(String).slice(0, 100));
    else
      for (const part of syntax.subtree(place, 300)) {
        if (syntax.kind(part) === "string_content") texts.push(syntax.text(part).slice(0, 2_000));
        if (syntax.kind(part) !== "identifier") continue;
        for (const value of names.valuesOf(syntax.text(part)).slice(0, 3)) {
          const text = names.textOf(value)?.text;
          if (text !== undefined) texts.push(text.slice(0, 2_000));
        }
      }
    if (texts.length > 200) break;
  }
  return texts;
}
