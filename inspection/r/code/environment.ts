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
  if (!asked) {
    // All of them, secrets included.
    findings.add(node, { id: "secret-environment", level: "warning", subject: "Sys.getenv()" });
    return;
  }
  const names = [...syntax.within(asked, 100)].filter(({ type, field }) => type === "string" && field !== "name");
  if (names.length === 0) findings.add(node, { id: "environment", level: "notice", subject: "Sys.getenv" });
  for (const one of names) {
    const name = stringValue(syntax, one);
    if (name === "HOME" || name === "USERPROFILE")
      findings.add(node, { id: "home-folder", level: "notice", subject: name });
    else if (isSecretVariable(name)) findings.add(node, { id: "secret-environment", level: "warning", subject: name });
    else findings.add(node, { id: "environment", level: "notice", subject: name });
  }
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
