import { readFileSync } from "node:fs";
import { z } from "zod";

const chunkManifest = z.record(
  z.string(),
  z.object({
    name: z.string().default(""),
    imports: z.array(z.string()).default([]),
    dynamicImports: z.array(z.string()).default([]),
  }),
);
export type ChunkManifest = z.infer<typeof chunkManifest>;

/** Vite's list of the chunks that it built, by source file or by a name of their own. */
export const readChunkManifest = (path: string): ChunkManifest =>
  chunkManifest.parse(JSON.parse(readFileSync(path, "utf8")));

/** The sign-in page must stay without them: they are large, or run the console. */
const consoleOnly = ["index", "frame", "shell"];

/** How chunks load each other that must not; each with the way from one to the other. */
export function chunkFaults(manifest: ChunkManifest): string[] {
  const imported = (chunk: string) => manifest[chunk]?.imports ?? [];
  const loaded = (chunk: string) => [...imported(chunk), ...(manifest[chunk]?.dynamicImports ?? [])];
  const forbidden = consoleOnly.map((name) => Object.keys(manifest).find((chunk) => manifest[chunk]?.name === name));
  if (!manifest["login.html"] || forbidden.includes(undefined))
    return [`login.html and the chunks ${consoleOnly.join(", ")} are not all there`];
  return [
    ...forbidden.flatMap((chunk = "") => wayTo(chunk, "login.html", loaded)).map((way) => `the sign-in page: ${way}`),
    // Of a circle, one chunk runs before what it imports.
    ...Object.keys(manifest).flatMap((chunk) => wayTo(chunk, chunk, imported).map((way) => `a circle: ${way}`)),
  ];
}

/** The shortest way from one chunk to another, or back to itself; empty if none leads there. */
function wayTo(target: string, start: string, next: (chunk: string) => readonly string[]): string[] {
  const found = new Set<string>();
  const open = [[start]];
  for (const way of open)
    for (const chunk of next(way.at(-1) ?? "")) {
      if (chunk === target) return [[...way, chunk].join(" → ")];
      if (!found.has(chunk)) open.push([...way, chunk]);
      found.add(chunk);
    }
  return [];
}
