import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { project } from "../stages.ts";

/** `docs/security.md` covers all of ASVS 5.0, levels 1 and 2, and every test that it names is there. */
const page = readFileSync(join(project, "docs/security.md"), "utf8");

/** How many requirements of each section are of these levels; in every section they come first. */
const sections: Record<string, number> = {
  ...{ "1.1": 2, "1.2": 9, "1.3": 11, "1.4": 3, "1.5": 2 },
  ...{ "2.1": 3, "2.2": 3, "2.3": 4, "2.4": 1 },
  ...{ "3.2": 2, "3.3": 4, "3.4": 6, "3.5": 5, "3.7": 2 },
  ...{ "4.1": 3, "4.2": 1, "4.3": 2, "4.4": 4 },
  ...{ "5.1": 1, "5.2": 3, "5.3": 2, "5.4": 3 },
  ...{ "6.1": 3, "6.2": 11, "6.3": 3, "6.4": 4, "6.5": 5, "6.6": 3, "6.8": 4 },
  ...{ "7.1": 3, "7.2": 4, "7.3": 2, "7.4": 5, "7.5": 2, "7.6": 2 },
  ...{ "8.1": 2, "8.2": 3, "8.3": 1, "8.4": 1 },
  ...{ "9.1": 3, "9.2": 4 },
  ...{ "10.1": 2, "10.2": 2, "10.3": 4, "10.4": 11, "10.5": 5, "10.6": 2, "10.7": 3 },
  ...{ "11.1": 2, "11.2": 3, "11.3": 3, "11.4": 4, "11.5": 1, "11.6": 1 },
  ...{ "12.1": 3, "12.2": 2, "12.3": 4 },
  ...{ "13.1": 1, "13.2": 5, "13.3": 2, "13.4": 5 },
  ...{ "14.1": 2, "14.2": 4, "14.3": 3 },
  ...{ "15.1": 3, "15.2": 3, "15.3": 7 },
  ...{ "16.1": 1, "16.2": 5, "16.3": 4, "16.4": 3, "16.5": 3 },
  ...{ "17.1": 1, "17.2": 4, "17.3": 2 },
};
const wanted = Object.entries(sections).flatMap(([section, count]) =>
  Array.from({ length: count }, (_, at) => `${section}.${at + 1}`),
);

const statuses = ["holds", "by setting", "at the provider", "by the operator", "in part", "not applicable"];
/** Which need a test: what the product itself does. */
const shown = ["holds", "by setting", "in part"];

interface Line {
  requirements: string[];
  status: string;
  tests: string[];
}

const lines: Line[] = page
  .split("\n")
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [, first = "", status = "", , last = ""] = line.split("|").map((cell) => cell.trim());
    const tests = [...last.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path);
    return { requirements: first.split(",").flatMap((part) => range(part.trim())), status, tests };
  });

/** `1.2.1–1.2.3`, or one of them. */
function range(text: string): string[] {
  const [from = "", to = from] = text.split("–");
  const number = (of: string): number => Number(of.slice(of.lastIndexOf(".") + 1));
  const section = from.slice(0, from.lastIndexOf("."));
  return Array.from({ length: number(to) - number(from) + 1 }, (_, at) => `${section}.${number(from) + at}`);
}

describe("the page about security", () => {
  test("has every requirement once", () => {
    const listed = lines.flatMap(({ requirements }) => requirements);
    expect([...listed].sort()).toEqual([...wanted].sort());
  });

  test("gives each a status, and a test of what the product does itself", () => {
    for (const { requirements, status, tests } of lines) {
      expect(statuses, requirements.join()).toContain(status);
      if (shown.includes(status)) expect(tests, requirements.join()).not.toEqual([]);
    }
  });

  test("names tests that exist", () => {
    const named = new Set(lines.flatMap(({ tests }) => tests));
    expect([...named].filter((path) => !existsSync(join(project, path)))).toEqual([]);
    for (const path of named) expect(path).toMatch(/\.(test|spec)\.ts$/);
  });

  test("refers to what is in it, and to a policy that states when vulnerabilities are fixed", () => {
    for (const [, heading] of page.matchAll(/\*([A-Z][^*]+)\*, below/g)) expect(page).toContain(`## ${heading}`);
    expect(readFileSync(join(project, "SECURITY.md"), "utf8")).toMatch(/## Time to fix\n\n\|/);
  });
});
