import type { FileRule } from "./file-rule.ts";
import { extensionOf } from "./places.ts";

const extensions = new Set("pkl pickle p joblib dill model pt ckpt bin dat".split(" "));
const modules = "posix nt os subprocess builtins __builtin__ pty runpy socket webbrowser importlib".split(" ");
const functions = new Set(
  "system popen exec eval execfile spawn Popen run call check_output check_call getoutput __import__ import_module run_path open compile create_connection".split(
    " ",
  ),
);

/** The first function of these that a pickle names: `module.function`. */
function namedFunction(pickle: string): string | undefined {
  let module: { name: string; isOld: boolean; end: number } | undefined;
  for (const { 0: word, index } of pickle.matchAll(/[A-Za-z_]+/g)) {
    const end = index + word.length;
    if (module && functions.has(word)) {
      const between = index - module.end;
      // `cos\nsystem\n` in old pickles; two short texts and what makes a name of them in newer ones.
      const isNamed = module.isOld
        ? between === 1 && pickle[module.end] === "\n" && pickle[end] === "\n"
        : between <= 8 && pickle.slice(end, end + 4).includes("\x93");
      if (isNamed) return `${module.name}.${word}`;
    }
    // The letter before a name of an old one may be the end of another instruction.
    const old = modules.find((name) => word.endsWith(name) && word.at(-name.length - 1) === "c");
    if (modules.includes(word) && pickle[index - 2] === "\x8c") module = { name: word, isOld: false, end };
    else module = old === undefined ? undefined : { name: old, isOld: true, end };
  }
  return undefined;
}

/** A pickle that names a function which runs commands or code: loading it calls that function. */
export const pickleRule: FileRule = {
  id: "pickle-with-code",
  *examine({ path, kind, head, bytes }) {
    const isPickle = head[0] === 0x80 && (head[1] ?? 0) >= 2 && (head[1] ?? 0) <= 5;
    if (!bytes || !(isPickle || (extensions.has(extensionOf(path)) && (kind === "other" || kind === "text")))) return;
    const subject = namedFunction(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"));
    if (subject !== undefined) yield { file: path, subject };
  },
};
