import { sensitivePlace } from "../../rules/suspicious-texts.ts";
import { calleeOf } from "./calls.ts";
import type { Findings } from "./findings.ts";
import { stringValue } from "./literals.ts";
import type { Syntax, SyntaxNode } from "./syntax.ts";

const longestPath = 300;

/** Paths in the home folder. Prose that names one is no path. */
export function inspectPath(syntax: Syntax, node: SyntaxNode, findings: Findings): void {
  if (node.end - node.start > longestPath) return;
  const text = stringValue(syntax, node);
  const named = sensitivePlace(text);
  if (named !== undefined) findings.add(node, { id: "home-folder", level: "warning", subject: named, excerpt: text });
  else if ((text.startsWith("~/") && !text.includes(" ")) || (text === "~" && isPathArgument(syntax, node)))
    findings.add(node, { id: "home-folder", level: "notice", subject: "~", excerpt: text });
}

const pathFunctions = new Set(["file.path", "normalizePath", "path.expand", "path", "list.files", "dir", "setwd"]);

/** `"~"` alone is also the sign of a formula. */
function isPathArgument(syntax: Syntax, node: SyntaxNode): boolean {
  const argument = syntax.parent(node);
  const list = argument && syntax.parent(argument);
  const call = list && syntax.parent(list);
  return call?.type === "call" && pathFunctions.has(calleeOf(syntax, call)?.name ?? "");
}

export const removers: ReadonlySet<string> = new Set(["unlink", "file.remove", "dir_delete", "file_delete"]);
const everything = new Set(["~", "/", "HOME", "USERPROFILE"]);

/** Deletes the home folder, or everything. */
export function inspectRemoval(syntax: Syntax, node: SyntaxNode, findings: Findings): void {
  for (const one of syntax.within(node, 50))
    if (one.type === "string" && everything.has(stringValue(syntax, one)))
      findings.add(node, { id: "home-folder", level: "warning", subject: calleeOf(syntax, node)?.name ?? "" });
}
