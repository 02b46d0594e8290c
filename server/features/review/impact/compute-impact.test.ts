import { expect, test } from "vitest";
import { computeImpact, type ImpactInput } from "./compute-impact.ts";
import type { Dependent, OfferedFile } from "./impact-store.ts";

let last = 0;
const file = (version: string, more: Partial<OfferedFile> = {}): OfferedFile => ({
  id: ++last,
  repositoryId: 1,
  version,
  kind: "source",
  target: "",
  language: null,
  builtFor: null,
  ...more,
});
const dependent = (name: string, constraint: string, more: Partial<Dependent> = {}): Dependent => ({
  id: ++last,
  name,
  version: "1.0",
  repository: "here",
  repositoryId: 1,
  kind: "imports",
  constraint,
  condition: "",
  ...more,
});
const impactOf = (input: Partial<ImpactInput>) =>
  computeImpact({ technology: "R", repositoryId: 1, release: [], files: [], replaced: [], dependents: [], ...input });

test("a new version is installed in place of the previous one, which moves to the archive", () => {
  const { installs, archived } = impactOf({ release: [file("1.10")], files: [file("1.9"), file("1.2")] });
  expect(installs).toEqual([{ languageVersions: "", before: "1.9", after: "1.10" }]);
  expect(archived).toBe("1.9");
});

test("a version below the newest changes nothing that is installed", () => {
  const { installs, archived } = impactOf({ release: [file("1.3")], files: [file("1.9")] });
  expect(installs).toEqual([{ languageVersions: "", before: "1.9", after: "1.9" }]);
  expect(archived).toBeNull();
});

test("an R that is too old for the new version can install none at all", () => {
  const { installs } = impactOf({
    release: [file("2.0", { language: "R (>= 4.4.1), methods" })],
    files: [file("1.0", { language: "R (>= 4.0)" })],
  });
  expect(installs).toEqual([
    { languageVersions: "3.6", before: null, after: null },
    { languageVersions: "4.0 to 4.3", before: "1.0", after: null },
    { languageVersions: "4.4 to 4.6", before: "1.0", after: "2.0" },
  ]);
});

test("a Python that is too old for the new version keeps the previous one", () => {
  const { installs, archived } = impactOf({
    technology: "Python",
    release: [file("2.0", { language: ">=3.12" })],
    files: [file("1.0", { language: ">=3.9,<4" })],
  });
  expect(installs).toEqual([
    { languageVersions: "3.8", before: null, after: null },
    { languageVersions: "3.9 to 3.11", before: "1.0", after: "1.0" },
    { languageVersions: "3.12 to 3.15", before: "1.0", after: "2.0" },
  ]);
  expect(archived).toBeNull();
});

test("a wheel is for the Pythons of its tags, and a pre-release for those who have nothing else", () => {
  const wheel = (version: string, builtFor: string) => file(version, { kind: "binary", builtFor });
  const { installs } = impactOf({
    technology: "Python",
    release: [wheel("2.0rc1", "py3-none-any"), wheel("1.5", "cp313-cp313-manylinux_2_28_x86_64")],
    files: [wheel("1.4", "cp310-abi3-win_amd64")],
  });
  expect(installs).toEqual([
    { languageVersions: "3.8 to 3.9", before: null, after: "2.0rc1" },
    { languageVersions: "3.10 to 3.12", before: "1.4", after: "1.4" },
    { languageVersions: "3.13", before: "1.4", after: "1.5" },
    { languageVersions: "3.14 to 3.15", before: "1.4", after: "1.4" },
  ]);
});

test("dependents that break come first; R looks at the newest version alone, Python at all", () => {
  const asked = {
    release: [file("2.0")],
    files: [file("1.0")],
    dependents: [dependent("any", ""), dependent("old", "< 2.0"), dependent("waiting", ">= 2.0")],
  };
  const shown = ({ dependents }: ReturnType<typeof impactOf>) =>
    dependents.map(({ name, before, after }) => [name, before, after]);
  const inR = impactOf(asked);
  expect(shown(inR)).toEqual([
    ["old", "satisfied", "unsatisfied"],
    ["waiting", "unsatisfied", "satisfied"],
    ["any", "satisfied", "satisfied"],
  ]);
  expect(inR.wouldBreak).toBe(1);
  expect(impactOf({ ...asked, technology: "Python" }).wouldBreak).toBe(0);
});

test("dependents in another repository also find what that one has", () => {
  const { dependents } = impactOf({
    release: [file("2.0")],
    files: [file("1.0"), file("3.0", { repositoryId: 2 })],
    dependents: [dependent("elsewhere", ">= 3.0", { repositoryId: 2 }), dependent("here", ">= 3.0")],
  });
  expect(dependents.map(({ name, after }) => [name, after])).toEqual([
    ["here", "unsatisfied"],
    ["elsewhere", "satisfied"],
  ]);
});

test("a field is named as it is written", () => {
  const fields = (technology: "R" | "Python", one: Dependent) =>
    impactOf({ technology, dependents: [one] }).dependents.map(({ field }) => field);
  expect(fields("R", dependent("a", "", { kind: "linkingTo" }))).toEqual(["LinkingTo"]);
  expect(fields("Python", dependent("a", "", { kind: "requires", condition: 'extra == "plot"' }))).toEqual([
    "Requires-Dist [plot]",
  ]);
});
