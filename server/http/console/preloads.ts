import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** The build manifest: chunks by source file, or by a name of their own for shared ones. */
const chunk = z.object({
  file: z.string(),
  imports: z.array(z.string()).default([]),
  css: z.array(z.string()).default([]),
  assets: z.array(z.string()).default([]),
});
const manifest = z.record(z.string(), chunk);
export type Manifest = z.infer<typeof manifest>;

/** The source files of the first screen by address; the first match wins. */
const screens: readonly (readonly [address: RegExp, sources: readonly string[]])[] = [
  [/^\/packages\/[^/]+\/\d+/, ["app/shell/shell.tsx", "features/packages/details/package-screen.tsx"]],
  [/^\/(packages)?(\?|$)/, ["app/shell/shell.tsx", "features/packages/packages-screen.tsx"]],
  [/^\/repositories\/[^/]+\/\d+/, ["app/shell/shell.tsx", "features/repositories/repository-screen.tsx"]],
  [/^\/repositories/, ["app/shell/shell.tsx", "features/repositories/repositories-screen.tsx"]],
  [/^\/submissions/, ["app/shell/shell.tsx", "features/submissions/submissions-screen.tsx"]],
  [/^\/events/, ["app/shell/shell.tsx", "features/events/events-screen.tsx"]],
];

export function readManifest(folder: string): Manifest {
  const path = join(folder, ".vite/manifest.json");
  return existsSync(path) ? manifest.parse(JSON.parse(readFileSync(path, "utf8"))) : {};
}

/** The source files whose chunks the first screen at an address needs. */
export const sourcesOf = (address: string): readonly string[] =>
  screens.find(([pattern]) => pattern.test(address))?.[1] ?? [];

/** Scripts and styles that these sources need, each once. */
export const filesOf = (manifest: Manifest, sources: readonly string[]): string[] => [
  ...new Set(
    [...reachable(manifest, sources)].flatMap((name) => {
      const chunk = manifest[name];
      return chunk ? [chunk.file, ...chunk.css] : [];
    }),
  ),
];

/** Links for the head of the page: everything that these sources need and the page does not load anyway. */
export function preloadLinks(manifest: Manifest, sources: readonly string[]): string {
  const loaded = reachable(manifest, ["index.html"]);
  const needed = [...reachable(manifest, sources)].filter((name) => !loaded.has(name));
  const files = needed.flatMap((name) => manifest[name] ?? []);
  const scripts = files.map(({ file }) => `<link rel="modulepreload" crossorigin href="./${file}">`);
  const styles = [...new Set(files.flatMap(({ css }) => css))].map(
    (file) => `<link rel="preload" as="style" crossorigin href="./${file}">`,
  );
  // The one font that every first screen shows; others load when they are needed.
  const face = manifest["index.html"]?.assets.find(
    (file) => file.includes("hanken-grotesk-latin-wght-normal") && file.endsWith(".woff2"),
  );
  const fonts = face ? [`<link rel="preload" as="font" type="font/woff2" crossorigin href="./${face}">`] : [];
  return [...fonts, ...styles, ...scripts].join("");
}

function reachable(manifest: Manifest, from: readonly string[]): Set<string> {
  const found = new Set<string>();
  const waiting = [...from];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const chunk = manifest[name];
    if (found.has(name) || !chunk) continue;
    found.add(name);
    waiting.push(...chunk.imports);
  }
  return found;
}
