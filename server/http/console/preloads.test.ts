import { describe, expect, test } from "vitest";
import { type Manifest, preloadLinks, sourcesOf } from "./preloads.ts";

const chunk = (file: string, imports: string[] = [], css: string[] = []) => ({ file, imports, css, assets: [] });
const manifest: Manifest = {
  "index.html": {
    ...chunk("assets/index-1.js", ["_react.js"]),
    assets: ["assets/hanken-grotesk-latin-wght-normal-1.woff2", "assets/hanken-grotesk-latin-ext-wght-normal-1.woff2"],
  },
  "_react.js": chunk("assets/react-1.js"),
  "_table.js": chunk("assets/table-1.js", ["_react.js"]),
  "app/shell/shell.tsx": chunk("assets/shell-1.js", ["_react.js"], ["assets/shell-1.css"]),
  "features/packages/packages-screen.tsx": chunk("assets/packages-1.js", ["_table.js", "index.html"]),
};

describe("the first screen at an address", () => {
  test("is preloaded with what it needs, without what the page loads anyway", () => {
    const links = preloadLinks(manifest, sourcesOf("/packages?search=a"));
    expect(links.match(/href="[^"]+"/g)?.sort()).toEqual([
      'href="./assets/hanken-grotesk-latin-wght-normal-1.woff2"',
      'href="./assets/packages-1.js"',
      'href="./assets/shell-1.css"',
      'href="./assets/shell-1.js"',
      'href="./assets/table-1.js"',
    ]);
  });

  test("has no chunk to preload at other addresses, and needs no manifest", () => {
    expect(sourcesOf("/no-such-page")).toEqual([]);
    expect(preloadLinks({}, sourcesOf("/packages"))).toBe("");
  });
});
