import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { project } from "../stages.ts";

const pages = [
  ...["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md"],
  ...readdirSync(join(project, "docs"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => join("docs", path)),
];

/** The text of a page without its code, where brackets are no links. */
const prose = (path: string): string =>
  readFileSync(join(project, path), "utf8")
    .replace(/^```[\s\S]*?^```/gm, "")
    .replace(/`[^`\n]*`(?!\])/g, "");

/** What can follow `#`: the headings of a page, as the forges write them. */
function anchorsOf(path: string): string[] {
  const text = readFileSync(join(project, path), "utf8").replace(/^```[\s\S]*?^```/gm, "");
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

interface LinkOnPage {
  page: string;
  target: string;
}

const linksOn = (page: string): LinkOnPage[] =>
  [...prose(page).matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g)]
    .map(([, target = ""]) => ({ page, target }))
    .filter(({ target }) => !/^[a-z]+:/.test(target));

function isBroken({ page, target }: LinkOnPage): boolean {
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? page : relative(project, join(project, dirname(page), decodeURIComponent(path)));
  if (!existsSync(join(project, file))) return true;
  return anchor !== undefined && !(file.endsWith(".md") && anchorsOf(file).includes(anchor));
}

/** Paths of the project in code, such as `server/app/app.ts`; not those with parts that stand for others. */
const pathsOn = (page: string): LinkOnPage[] =>
  [...readFileSync(join(project, page), "utf8").matchAll(/`((?:[a-z0-9][\w.-]*\/)+[\w.-]*)`/g)]
    .map(([, target = ""]) => ({ page, target }))
    .filter(({ target }) => folders.has(target.split("/")[0] ?? ""));
const folders = new Set([
  "bench",
  "console",
  "contract",
  "e2e",
  "fixtures",
  "formats",
  "inspection",
  "scripts",
  "server",
]);

/** Files and folders of the project that a page leads to. */
const ledToFrom = (page: string): string[] =>
  linksOn(page).map(({ target }) => relative(project, join(project, dirname(page), target.split("#")[0] ?? "")));

describe("the documents", () => {
  const links = pages.flatMap(linksOn);

  test("have links to existing files and headings only", () => {
    expect(links.length).toBeGreaterThan(150);
    expect(links.filter(isBroken)).toEqual([]);
  });

  test("name existing files and folders only", () => {
    // The changelog names what was there before, and decisions what was there then.
    const named = pages.filter((page) => page !== "CHANGELOG.md" && !page.startsWith("docs/adr/")).flatMap(pathsOn);
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter(({ target }) => !existsSync(join(project, target)))).toEqual([]);
  });

  test("lead from the README to the code that publishes a CRAN index in three clicks", () => {
    const first = ledToFrom("README.md").filter((path) => path.endsWith(".md") && existsSync(join(project, path)));
    const second = first.flatMap(ledToFrom);
    expect(second).toContain("server/publish/render/r-index.ts");
    expect(second).toContain("formats/r/packages-index.ts");
  });

  test("show on the map each layer of server and console", () => {
    const shown = new Set(ledToFrom("ARCHITECTURE.md"));
    const folders = ["server", "console"].flatMap((workspace) =>
      readdirSync(join(project, workspace))
        .map((name) => `${workspace}/${name}`)
        .filter((path) => statSync(join(project, path)).isDirectory()),
    );
    const notSource = /\/(node_modules|dist|public|\.\w.*)$/;
    expect(folders.filter((path) => !notSource.test(path) && !shown.has(path))).toEqual([]);
  });
});
