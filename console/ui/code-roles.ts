/**
 * Color roles of code and of differences, as in `theme.ts`. No first screen shows them, so they load with the screens
 * that do. Syntax uses neither green nor red: only a difference does.
 */
export const codeRoles = {
  "diff-add": ["#11281b", "#e8f5ec"],
  "diff-del": ["#2e1a1b", "#fcecec"],
  "diff-add-word": ["#1c4a2e", "#bfe5cb"],
  "diff-del-word": ["#642a2c", "#f6cccc"],
  "diff-void": ["#0f1718", "#f1f5f6"],
  "code-keyword": ["#8fbefa", "#164d8f"],
  "code-call": ["#6ccfd0", "#0a5657"],
  "code-literal": ["#f2ce59", "#5f4a00"],
  "code-comment": ["#aab5b7", "#4b595b"],
} as const satisfies Record<string, readonly [dark: string, light: string]>;
