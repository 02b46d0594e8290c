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
