import { otherCodeIn } from "../r/code-in-documents.ts";
import { isReachingCommand } from "../r/installation/shell-line.ts";
import type { FileRule } from "./file-rule.ts";
import { suspiciousCommand } from "./suspicious-texts.ts";

const shells = new Set(["bash", "sh", "zsh", "dash", "ksh", "shell", "fish", "cmd", "awk", "sed", "perl", "ruby"]);
/** What code of other languages that documents show does not need. */
const reaching = [
  ...["os.system", "os.popen", "subprocess", "socket", "urllib", "urlopen", "requests.", "exec(", "__import__"],
  ...["child_process", "std::system", " system(", "popen(", "fork(", "execl", "execv", "dlsym"],
];

/** Chunks of a vignette in another language, which run when it is built. */
export const documentRule: FileRule = {
  id: "process",
  *examine({ path, text }) {
    if (!text) return;
    for (const { engine, start, code } of otherCodeIn(path, text.text)) {
      const isShell = shells.has(engine);
      const isReaching = isShell
        ? suspiciousCommand(code) !== undefined || code.split("\n", 1000).some(isReachingCommand)
        : reaching.some((written) => code.includes(written));
      if (!isShell && !isReaching) continue;
      const first = code.length - code.trimStart().length;
      yield { subject: engine, file: path, ...text.found(start + first), level: isReaching ? "warning" : "notice" };
    }
  },
};
