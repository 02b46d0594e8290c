import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { codeRoles } from "./code-roles.ts";
import { roles as themeRoles } from "./theme.ts";

/**
 * The contrast that WCAG 2.2 AA requires, for every text and icon on every background that the design uses, in both
 * themes. The browser tests measure whole screens in one theme and language each; this covers the rest.
 */
const roles = { ...themeRoles, ...codeRoles };
type Role = keyof typeof roles;
const pages: readonly Role[] = ["canvas", "surface", "raised", "sunken", "field"];
const rows: readonly Role[] = ["hover", "selected"];
/** Lines of code: as they are, added, removed, and the words marked in them. */
const lines: readonly Role[] = ["surface", "sunken", "diff-add", "diff-del", "diff-add-word", "diff-del-word"];

/** Texts, each with its backgrounds: 4.5 : 1. */
const texts: Partial<Record<Role, readonly Role[]>> = {
  strong: [
    ...pages,
    ...rows,
    ...lines,
    "line",
    "deleted-row",
    "brand-tint",
    "red-tint",
    "green-tint",
    "orange-tint",
    "diff-void",
  ],
  text: [...pages, ...rows, "deleted-row", "brand-tint", "red-tint", "green-tint", "orange-tint"],
  muted: [...pages, ...rows, "deleted-row", "diff-add", "diff-del"],
  brand: ["canvas", "surface", "raised", "field", ...rows, "brand-tint"],
  green: ["canvas", "surface", "raised", ...rows, "green-tint", "diff-add"],
  red: ["canvas", "surface", "raised", "field", ...rows, "red-tint", "diff-del"],
  orange: ["canvas", "surface", "raised", ...rows, "orange-tint"],
  "code-keyword": lines,
  "code-call": lines,
  "code-literal": lines,
  "code-comment": lines,
  "brand-ink": ["brand"],
  "bar-text": ["bar"],
  canvas: ["strong"],
  bar: ["bar-text"],
};

/** Icons, edges and disabled marks: 3 : 1. */
const marks: Partial<Record<Role, readonly Role[]>> = {
  edge: ["canvas", "surface", "raised", "field"],
  faint: ["canvas", "surface", "hover"],
  "red-quiet": ["surface", ...rows],
  r: ["canvas", "surface"],
  py: ["canvas", "surface"],
};

const channel = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    channel(Number.parseInt(color.slice(at, at + 2), 16) / 255),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function tooFaint(pairs: Partial<Record<Role, readonly Role[]>>, least: number): string[] {
  return Object.entries(pairs).flatMap(([front, backs]) =>
    backs.flatMap((back) =>
      (["dark", "light"] as const).flatMap((theme, index) => {
        const [text, background] = [roles[front as Role][index], roles[back][index]]; // the keys are roles
        const ratio = contrast(text ?? "", background ?? "");
        return ratio >= least ? [] : [`${front} on ${back}, ${theme}: ${ratio.toFixed(2)}`];
      }),
    ),
  );
}

test("black on white has the contrast that the standard states", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});

test("every text is readable on every background that it is used on", () => {
  expect(tooFaint(texts, 4.5)).toEqual([]);
});

test("every mark is visible where it is used", () => {
  expect(tooFaint(marks, 3)).toEqual([]);
});

test("every role appears in these tables", () => {
  const placed = new Set([texts, marks].flatMap((table) => Object.entries(table).flat(2)));
  expect(Object.keys(roles).filter((role) => !placed.has(role))).toEqual([]);
});

/** Rules in all style sheets that set both text and background. */
function pairsInStyles(): [file: string, front: string, back: string][] {
  const console = resolve(import.meta.dirname, "..");
  const files = readdirSync(console, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".css") && !/(^|\/)(dist|node_modules)\//.test(path),
  );
  return files.flatMap((file) =>
    readFileSync(join(console, file), "utf8")
      .split("}")
      .flatMap((rule) => {
        const front = /(?:^|[\s;{])color:\s*var\(--ph-([\w-]+)\)/.exec(rule)?.[1];
        const back = /background(?:-color)?:\s*var\(--ph-([\w-]+)\)/.exec(rule)?.[1];
        return front && back ? [[file, front, back] as [string, string, string]] : [];
      }),
  );
}

test("every pair that a style sheet sets appears in these tables", () => {
  const pairs = pairsInStyles();
  expect(pairs.length).toBeGreaterThan(5);
  const known = (front: string, back: string) =>
    [texts, marks].some((table) => table[front as Role]?.includes(back as Role)); // anything but a role is in neither
  expect(pairs.filter(([, front, back]) => !known(front, back))).toEqual([]);
});
