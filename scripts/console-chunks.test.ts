import { describe, expect, test } from "vitest";
import { type ChunkManifest, chunkFaults } from "./console-chunks.ts";

const chunk = (name: string, imports: string[] = [], dynamicImports: string[] = []) => ({
  name,
  imports,
  dynamicImports,
});

const sound: ChunkManifest = {
  "login.html": chunk("login", ["_sign-in.js"]),
  "index.html": chunk("index", ["_frame.js", "_sign-in.js"]),
  "shell.tsx": chunk("shell", ["_frame.js"]),
  "_sign-in.js": chunk("sign-in", [], ["toast.tsx"]),
  "_frame.js": chunk("frame", ["_sign-in.js"], ["shell.tsx"]),
  "toast.tsx": chunk("toast", ["_copy.js"]),
  "_copy.js": chunk("copy", ["_sign-in.js"]),
};

describe("chunks of the console", () => {
  test("may load each other in layers, also lazily", () => {
    expect(chunkFaults(sound)).toEqual([]);
  });

  test("must not bring the console to the sign-in page, however late", () => {
    expect(chunkFaults({ ...sound, "_copy.js": chunk("copy", ["_frame.js"]) })).toEqual([
      "the sign-in page: login.html → _sign-in.js → toast.tsx → _copy.js → _frame.js",
      "the sign-in page: login.html → _sign-in.js → toast.tsx → _copy.js → _frame.js → shell.tsx",
    ]);
  });

  test("must not import each other in a circle", () => {
    expect(chunkFaults({ ...sound, "_frame.js": chunk("frame", ["index.html"]) })).toEqual([
      "a circle: index.html → _frame.js → index.html",
      "a circle: _frame.js → index.html → _frame.js",
    ]);
  });

  test("are not checked where those in question have other names", () => {
    const { "_frame.js": _frame, ...others } = sound;
    expect(chunkFaults(others)).toHaveLength(1);
    expect(chunkFaults({})).toHaveLength(1);
  });
});
