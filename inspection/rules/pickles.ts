import type { FileRule } from "./file-rule.ts";
import { extensionOf } from "./places.ts";

const extensions = new Set("pkl pickle p joblib dill model pt ckpt bin dat".split(" "));
const modules = "posix|nt|os|subprocess|builtins|__builtin__|pty|runpy|socket|webbrowser|importlib";
const functions =
  "system|popen|exec|eval|execfile|spawn|Popen|run|call|check_output|check_call|getoutput|__import__|import_module|run_path|open|compile|create_connection";
/** `cos\nsystem\n` of old pickles; two short texts and what makes a name of them in newer ones. */
const named = new RegExp(
  `c(${modules})\\n(${functions})\\n|\\x8c[\\x02-\\x0f](${modules})[^a-zA-Z_]{1,8}(${functions})[^a-zA-Z_]{0,3}\\x93`,
);

/** A pickle that names a function which runs commands or code: loading it calls that function. */
export const pickleRule: FileRule = {
  id: "pickle-with-code",
  *examine({ path, kind, head, bytes }) {
    const isPickle = head[0] === 0x80 && (head[1] ?? 0) >= 2 && (head[1] ?? 0) <= 5;
    if (!bytes || !(isPickle || (extensions.has(extensionOf(path)) && (kind === "other" || kind === "text")))) return;
    const found = named.exec(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"));
    if (found) yield { file: path, subject: `${found[1] ?? found[3]}.${found[2] ?? found[4]}` };
  },
};
