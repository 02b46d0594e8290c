import { isNumericAddress, suspiciousCommand } from "../../rules/suspicious-texts.ts";
import { unmistakable } from "./watched-functions.ts";

/** Whether a use fetches or sends what it names itself, hides a command, or calls a function by its name in a string. */
export const isSuspicious = (code: string): boolean =>
  suspiciousCommand(code) !== undefined ||
  suspiciousCalls.some((written) => code.includes(written)) ||
  (code.match(texts) ?? []).some((text) => isNumericAddress(text.slice(1, -1)));

/** Strings as they are written. */
export const texts = /"[^"]*"|'[^']*'/g;

/** A function that is not called where it is named. */
const asValue = (name: string): string[] => [`"${name}"`, `'${name}'`, `(${name})`, `(${name},`, ` ${name})`];

/** Names that are looked up can carry what someone wants to send. */
const lookups = ["nslookup(", "nsl("];

const suspiciousCalls = [...[...unmistakable].flatMap(asValue), ...lookups];

const window = 90;
const step = 60;

/** The first part of a long code that is suspicious. */
export function suspiciousPart(code: string): string | undefined {
  for (let at = 0; at < code.length; at += step) {
    const part = code.slice(at, at + window);
    if (isSuspicious(part)) return part;
  }
  return undefined;
}
