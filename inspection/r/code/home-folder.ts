import { calleeOf } from "./calls.ts";
import type { Findings } from "./findings.ts";
import { stringValue } from "./literals.ts";
import type { Syntax, SyntaxNode } from "./syntax.ts";

/** Keys, credentials, and files that run when a session or a shell begins. */
const sensitive = new Set(
  [
    [".ssh", "id_rsa", "id_ecdsa", "id_ed25519", "authorized_keys", ".gnupg", ".aws", ".azure", ".kube", ".docker"],
    [".netrc", "_netrc", ".git-credentials", ".pypirc", ".npmrc", ".pgpass", ".my.cnf", ".bash_history", ".Rhistory"],
    [".Rprofile", "Rprofile.site", ".Renviron", "Renviron.site", ".bashrc", ".bash_profile", ".profile", ".zshrc"],
    [".zprofile", ".zshenv", "crontab", "cron.d", "LaunchAgents", "Login Data", "cookies.sqlite", "wallet.dat"],
  ].flat(),
);
const longestPath = 300;

/** Paths in the home folder. Prose that names one is no path. */
export function inspectPath(syntax: Syntax, node: SyntaxNode, findings: Findings): void {
  if (node.end - node.start > longestPath) return;
  const text = stringValue(syntax, node);
  const segments = text.split(/[/\\]/);
  const parts = text.includes(" ") && segments.at(-1) !== "Login Data" ? [] : segments;
  const named = parts.find((part) => sensitive.has(part)) ?? sensitivePaths.find((path) => text.startsWith(path));
  if (named !== undefined) findings.add(node, { id: "home-folder", level: "warning", subject: named, excerpt: text });
  else if (parts[0] === "~" && (parts.length > 1 || isPathArgument(syntax, node)))
    findings.add(node, { id: "home-folder", level: "notice", subject: "~", excerpt: text });
}

const sensitivePaths = ["/etc/passwd", "/etc/shadow", "/proc/self/environ"];
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
