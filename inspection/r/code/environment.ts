import { isSecretVariable } from "../../rules/suspicious-texts.ts";
import { type Argument, argumentOf } from "./calls.ts";
import type { Findings } from "./findings.ts";
import { stringValue } from "./literals.ts";
import type { Syntax, SyntaxNode } from "./syntax.ts";

/** A call of `Sys.getenv`. */
export function inspectEnvironment(
  syntax: Syntax,
  node: SyntaxNode,
  list: readonly Argument[],
  findings: Findings,
): void {
  const asked = argumentOf(list, "x", 0);
  const names = asked ? stringsIn(syntax, asked) : [];
  if (!asked || (names.length === 0 && isNothing(syntax, asked))) {
    // All of them, secrets included.
    findings.add(node, { id: "secret-environment", level: "warning", subject: "Sys.getenv()" });
    return;
  }
  if (names.length === 0) findings.add(node, { id: "environment", level: "notice", subject: "Sys.getenv" });
  for (const one of names) {
    const name = stringValue(syntax, one);
    if (name === "HOME" || name === "USERPROFILE")
      findings.add(node, { id: "home-folder", level: "notice", subject: name });
    else if (isSecretVariable(name)) findings.add(node, { id: "secret-environment", level: "warning", subject: name });
    else findings.add(node, { id: "environment", level: "notice", subject: name });
  }
}

const stringsIn = (syntax: Syntax, node: SyntaxNode): SyntaxNode[] =>
  [...syntax.within(node, 100)].filter(({ type, field }) => type === "string" && field !== "name");

/** `NULL` or `c()`, which stand for all of them. */
function isNothing(syntax: Syntax, asked: SyntaxNode): boolean {
  const parts = [...syntax.within(asked, 10)];
  return (
    parts.some(({ type }) => type === "null") ||
    (asked.type === "call" && /^(?:c|list)\(\s{0,9}\)$/.test(syntax.textOf(asked).slice(0, 20)))
  );
}

/** Variables that decide which code runs in other programs and sessions, and whom they talk to. */
const powerful = new Set([
  ...["LD_PRELOAD", "LD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES", "R_PROFILE", "R_PROFILE_USER", "R_ENVIRON"],
  ...["R_ENVIRON_USER", "R_LIBS", "R_LIBS_USER", "R_LIBS_SITE", "BASH_ENV", "ENV", "PYTHONSTARTUP"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "CURL_CA_BUNDLE", "SSL_CERT_FILE"],
]);

/** A call of `Sys.setenv`. */
export function inspectChange(node: SyntaxNode, list: readonly Argument[], findings: Findings): void {
  const changed = list.find(({ name }) => name !== null && powerful.has(name.toUpperCase()));
  if (changed?.name) findings.add(node, { id: "environment", level: "warning", subject: changed.name });
}
