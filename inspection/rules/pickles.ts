import type { FileRule } from "./file-rule.ts";
import { extensionOf } from "./places.ts";

const extensions = new Set("pkl pickle p joblib dill model pt ckpt bin dat".split(" "));
const modules = "posix nt os subprocess builtins __builtin__ pty runpy socket webbrowser importlib timeit".split(" ");
const functions = new Set(
  "system popen exec eval execfile spawn Popen run call check_output check_call getoutput __import__ import_module run_path open compile create_connection timeit repeat posix_spawn".split(
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

/** How many bytes follow an instruction; what is in no table has none. */
const argumentBytes = new Map<string, number>([
  ...[..."Khq\x80\x82"].map((code) => [code, 1] as const),
  ...[..."M\x83"].map((code) => [code, 2] as const),
  ...[..."Jjr\x84"].map((code) => [code, 4] as const),
  ...[..."G\x95"].map((code) => [code, 8] as const),
]);
/** How many bytes the length of a text or number has that follows an instruction. */
const lengthBytes = new Map<string, number>([..."\x8cUC\x8a"].map((code) => [code, 1] as const));
for (const code of "XTB\x8b") lengthBytes.set(code, 4);
for (const code of "\x8d\x8e\x96") lengthBytes.set(code, 8);
const texts = new Set("\x8cX\x8dUT");
const lines = new Set("SVILFPgpci");

/** The first of these functions that the instructions of a pickle name, also by texts that they kept before. */
function loadedFunction(pickle: string): string | undefined {
  const kept = new Map<number, string>();
  let [first, second] = ["", ""];
  const push = (text: string) => {
    [first, second] = [second, text];
  };
  for (let at = 0; at < pickle.length; ) {
    const code = pickle[at] ?? "";
    at += 1;
    const sized = lengthBytes.get(code);
    const size = sized === undefined ? (argumentBytes.get(code) ?? 0) : sized;
    let number = 0;
    for (let index = Math.min(size, 6) - 1; index >= 0; index--) number = number * 256 + pickle.charCodeAt(at + index);
    at += size;
    if (sized !== undefined) {
      if (texts.has(code)) push(pickle.slice(at, Math.min(at + number, at + 200)));
      at += number;
    } else if (lines.has(code)) {
      const end = pickle.indexOf("\n", at);
      if (end === -1) return undefined;
      const line = pickle.slice(at, Math.min(end, at + 200));
      at = end + 1;
      if (code === "S" || code === "V") push(line.replace(/^['"]|['"]$/g, ""));
      if (code === "p") kept.set(Number(line), second);
      if (code === "g") push(kept.get(Number(line)) ?? "");
      if (code === "c" || code === "i") {
        const last = pickle.indexOf("\n", at);
        if (last === -1) return undefined;
        const name = pickle.slice(at, Math.min(last, at + 200));
        if (modules.includes(line) && functions.has(name)) return `${line}.${name}`;
        at = last + 1;
      }
    } else if (code === "q" || code === "r") kept.set(number, second);
    else if (code === "\x94") kept.set(kept.size, second);
    else if (code === "h" || code === "j") push(kept.get(number) ?? "");
    else if (code === "\x93" && modules.includes(first) && functions.has(second)) return `${first}.${second}`;
    else if (code === ".") return undefined;
  }
  return undefined;
}

/** A pickle that names a function which runs commands or code: loading it calls that function. */
export const pickleRule: FileRule = {
  id: "pickle-with-code",
  *examine({ path, kind, head, bytes }) {
    const isPickle = head[0] === 0x80 && (head[1] ?? 0) >= 2 && (head[1] ?? 0) <= 5;
    if (!bytes) return;
    const pickle = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
    const isData = extensions.has(extensionOf(path)) && (kind === "other" || kind === "text");
    // One of the first version is a text that begins with the function, and ends with a dot.
    const isOld =
      pickle[0] === "c" && pickle.endsWith(".") && modules.some((module) => pickle.startsWith(`${module}\n`, 1));
    if (!isPickle && !isData && !isOld) return;
    const subject = namedFunction(pickle) ?? loadedFunction(pickle);
    if (subject !== undefined) yield { file: path, subject };
  },
};
