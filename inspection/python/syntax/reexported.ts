/** Modules of Python that other modules import, and so offer under their own names too: `shutil.os`. */
const modules = new Set(
  "os posix nt subprocess _posixsubprocess sys builtins __builtin__ ctypes importlib runpy pty socket".split(" "),
);

/** Whatever a module imports is an attribute of it: `shutil.os.system` is `os.system`. */
export function reexported(name: string): string {
  if (!name.includes(".")) return name;
  const parts = name.split(".");
  for (let at = parts.length - 1; at > 0; at--) {
    const part = parts[at] ?? "";
    if (!modules.has(part) || isOwn(part, parts[at - 1])) continue;
    // What a call returns has attributes of such names that are no modules: `context().socket`.
    return parts.slice(0, at).some((owner) => owner.endsWith(")")) ? name : parts.slice(at).join(".");
  }
  return name;
}

/** What only has the name of such a module: `socket.socket`, `asyncio.subprocess`. */
const isOwn = (part: string, owner: string | undefined): boolean =>
  owner === part || (owner === "asyncio" && part === "subprocess");
