import { invisibleCharactersRule, mixedScriptsRule } from "./characters.ts";
import { encodedTextRule } from "./encoded-text.ts";
import type { FileRule } from "./file-rule.ts";
import { contentDiffersRule, executableRule, highEntropyRule, longLineRule } from "./hidden-content.ts";
import { hostRule } from "./hosts.ts";
import { builderPathRule, futureDateRule, leftOverFileRule } from "./leftovers.ts";
import { environmentFileRule, privateKeyRule, tokenRule } from "./secrets.ts";

/** All rules about single files that both technologies share. */
export const fileRules: readonly FileRule[] = [
  hostRule,
  encodedTextRule,
  highEntropyRule,
  longLineRule,
  invisibleCharactersRule,
  mixedScriptsRule,
  contentDiffersRule,
  executableRule,
  privateKeyRule,
  tokenRule,
  environmentFileRule,
  leftOverFileRule,
  builderPathRule,
  futureDateRule,
];
