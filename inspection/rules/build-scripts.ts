import type { FileRule } from "./file-rule.ts";
import { extensionOf, nameOf } from "./places.ts";
import { isHiddenCommand } from "./suspicious-texts.ts";

const buildNames = new Set(["configure.ac", "configure.in", "CMakeLists.txt", "meson.build", "SConstruct"]);
const buildExtensions = new Set(["m4", "am", "cmake"]);

/** Programs that unpack or turn bytes into others. */
const unpacking = /\b(?:xz|unxz|lzma|gzip|gunzip|bzip2|base64|openssl|xxd|tr|rot13)\b/;
/** What is printed is run. */
const running = /\beval\b|\|[ \t]{0,8}(?:\/bin\/)?(?:ba|da|z|k)?sh\b|\bexecute_process\b|\brun_command\b/;
const fetching = /\b(?:curl|wget|ftp|nc|ncat|powershell|Invoke-WebRequest)\b/;

/** Scripts that configure a build, and the macros that they are made of. */
export const buildScriptRule: FileRule = {
  id: "build-script",
  *examine({ path, text }) {
    if (!text || !(buildNames.has(nameOf(path)) || buildExtensions.has(extensionOf(path)))) return;
    for (const { start, line } of text.lines()) {
      const command = line.slice(0, 2_000);
      if (text.isInComment(start) || command.startsWith("dnl ") || !isSuspicious(command)) continue;
      yield {
        subject: fetching.exec(command)?.[0] ?? unpacking.exec(command)?.[0] ?? "",
        file: path,
        ...text.found(start),
      };
    }
  },
};

function isSuspicious(command: string): boolean {
  if (isHiddenCommand(command)) return true;
  if (!running.test(command)) return false;
  return fetching.test(command) || (unpacking.test(command) && /-[dr]\b|-d[a-z]\b|--decode|decompress/.test(command));
}
