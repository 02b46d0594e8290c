import { buildScriptRule } from "./build-scripts.ts";
import { invisibleCharactersRule, mixedScriptsRule } from "./characters.ts";
import { documentRule } from "./documents.ts";
import { encodedTextRule } from "./encoded-text.ts";
import type { FileRule } from "./file-rule.ts";
import { contentDiffersRule, executableRule, highEntropyRule, longLineRule } from "./hidden-content.ts";
import { hostRule } from "./hosts.ts";
import { builderPathRule, futureDateRule, leftOverFileRule } from "./leftovers.ts";
import { nativeConstructorRule, nativeNetworkRule, nativeProcessRule } from "./native-code.ts";
import { pickleRule } from "./pickles.ts";
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
  pickleRule,
  nativeProcessRule,
  nativeNetworkRule,
  nativeConstructorRule,
  buildScriptRule,
  documentRule,
  privateKeyRule,
  tokenRule,
  environmentFileRule,
  leftOverFileRule,
  builderPathRule,
  futureDateRule,
];
