import type { Signal } from "@packhouse/contract/review/inspection";
import { isOfTests } from "../rules/places.ts";
import { signalOf } from "../signal.ts";
import type { LinkedFile, Links } from "./links.ts";

/**
 * Links that stand where code is expected: a danger if what they lead to does not look like code where it is, since no
 * one would read it there.
 */
export function linkSignals(links: Links, linked: readonly LinkedFile[], isCode: (path: string) => boolean): Signal[] {
  const leading = Map.groupBy(
    linked.filter(({ path }) => isCode(path)),
    ({ link }) => link,
  );
  return [...links.entries()].flatMap(([link, target]) => {
    const code = leading.get(link) ?? [];
    if (code.length === 0 && !isCode(link)) return [];
    const isHidden = code.some(({ file }) => !isCode(file));
    const level = isHidden ? "danger" : isOfTests(link) ? "notice" : "warning";
    return [signalOf("linked-code", { level, subject: link, file: link, excerpt: `${link} → ${target}` })];
  });
}
