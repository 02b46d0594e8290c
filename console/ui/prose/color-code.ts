import highlighter from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import ini from "highlight.js/lib/languages/ini";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import r from "highlight.js/lib/languages/r";
import yaml from "highlight.js/lib/languages/yaml";

const languages = { bash, ini, json, python, r, yaml };
for (const [name, language] of Object.entries(languages)) highlighter.registerLanguage(name, language);
highlighter.registerAliases(["sh", "shell", "console"], { languageName: "bash" });
highlighter.registerAliases(["py", "pycon"], { languageName: "python" });
highlighter.registerAliases(["toml"], { languageName: "ini" });

/** Highlights code blocks that specify their language. */
export function colorCode(blocks: readonly HTMLElement[]): void {
  for (const block of blocks) {
    const { language } = block.dataset;
    const code = block.querySelector("code") ?? block;
    if (language && highlighter.getLanguage(language))
      code.innerHTML = highlighter.highlight(code.textContent ?? "", { language, ignoreIllegals: true }).value; // escaped
  }
}

/** What a piece of code is, as far as its color is concerned. */
export type CodeKind = "keyword" | "call" | "literal" | "comment";
export interface CodeToken {
  text: string;
  kind: CodeKind | undefined;
}

const kinds: Readonly<Record<string, CodeKind>> = {
  "hljs-keyword": "keyword",
  "hljs-literal": "keyword",
  "hljs-built_in": "call",
  "hljs-title": "call",
  "hljs-section": "call",
  "hljs-string": "literal",
  "hljs-regexp": "literal",
  "hljs-number": "literal",
  "hljs-comment": "comment",
  "hljs-meta": "comment",
};

const languageByEnding: Readonly<Record<string, keyof typeof languages>> = {
  r: "r",
  py: "python",
  pyi: "python",
  json: "json",
  yml: "yaml",
  yaml: "yaml",
  toml: "ini",
  cfg: "ini",
  ini: "ini",
  sh: "bash",
  configure: "bash",
  cleanup: "bash",
};

/** The tokens of a piece of code, in order; one token for a file in no known language. */
export function tokensOf(text: string, path: string): CodeToken[] {
  const ending = path.slice(Math.max(path.lastIndexOf("."), path.lastIndexOf("/")) + 1).toLowerCase();
  const language = languageByEnding[ending];
  if (!language) return [{ text, kind: undefined }];
  // In a template, nothing is loaded or run; the highlighter escapes.
  const template = document.createElement("template");
  template.innerHTML = highlighter.highlight(text, { language, ignoreIllegals: true }).value;
  const walker = document.createTreeWalker(template.content, NodeFilter.SHOW_TEXT);
  const tokens: CodeToken[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const classes = [...(node.parentElement?.classList ?? [])];
    tokens.push({ text: node.textContent ?? "", kind: classes.map((name) => kinds[name]).find(Boolean) });
  }
  return tokens;
}
