import { longestLifetimeDays, shortestLifetimeDays } from "@packhouse/contract/access-tokens";
import { longestName } from "@packhouse/contract/limits";
import type { ViolationCode } from "@packhouse/contract/violations";

export const dayMs = 86_400_000;

/**
 * Every rule that a new token breaks. A lifetime that is not a number is too short and too long. The settings may allow
 * less than the API does.
 */
export function brokenRules(name: string, lifetimeDays: number, mostDays = longestLifetimeDays): ViolationCode[] {
  const codes: ViolationCode[] = [];
  if (name.trim() === "") codes.push("token.name.must.be.not.blank");
  else if (name.length > longestName) codes.push("token.name.too.long");
  if (!(lifetimeDays >= shortestLifetimeDays)) codes.push("token.number.of.days.must.be.greater.than.0");
  if (!(lifetimeDays <= longestLifetimeDays)) codes.push("token.number.of.days.must.be.less.than.366");
  else if (lifetimeDays > mostDays) codes.push("token.lifetime.too.long");
  return codes;
}

/** Days as number or text; fractions are truncated. */
export function readLifetime(given: string | number): number {
  if (typeof given === "string" && !/^[+-]?\d+(\.\d+)?$/.test(given.trim())) return Number.NaN;
  return Math.trunc(Number(given));
}
