import { expect, test } from "vitest";
import { type BaseCandidate, chooseBase } from "./choose-base.ts";

let last = 0;
const source = (version: string): BaseCandidate => ({
  id: ++last,
  versionOrder: version,
  kind: "source",
  target: "",
});
const wheel = (version: string, tags: string): BaseCandidate => ({
  id: ++last,
  versionOrder: version,
  kind: "binary",
  target: `orchard-${version}-${tags}.whl`,
});
const waiting = (file: BaseCandidate, replacesId: number | null = null) => ({ ...file, replacesId });

const [sdist1, sdist2, sdist4] = [source("1"), source("2"), source("4")];
const [linux1, linux2, mac2] = [
  wheel("1", "cp313-cp313-linux"),
  wheel("2", "cp313-cp313-linux"),
  wheel("2", "cp313-cp313-macos"),
];

test.for<[string, BaseCandidate, BaseCandidate[], BaseCandidate | undefined]>([
  ["the newest version below it", source("3"), [sdist1, sdist2, sdist4], sdist2],
  ["the newest version of all, if none is below it", source("0"), [sdist1, sdist4, sdist2], sdist4],
  ["nothing, if there is no other version", source("3"), [], undefined],
  ["never its own version", source("2"), [sdist2], undefined],
  ["the wheel of the same platform", wheel("3", "cp313-cp313-macos"), [sdist2, linux2, mac2], mac2],
  ["any wheel, if none is of its platform", wheel("3", "cp313-cp313-windows"), [sdist2, linux2], linux2],
  ["the sdist, if there is no wheel", wheel("3", "cp313-cp313-windows"), [sdist1, linux1, sdist2], sdist2],
  ["an older sdist rather than a newer wheel, for an sdist", source("3"), [sdist1, linux2], sdist1],
  ["a wheel, for an sdist, if there is nothing else", source("3"), [linux1, linux2], linux2],
])("the base is %s", ([, own, accepted, expected]) => {
  expect(chooseBase(waiting(own), accepted)).toBe(expected);
});

test("a replacement is compared with what it replaces", () => {
  expect(chooseBase(waiting(source("2"), sdist2.id), [sdist1, sdist2])).toBe(sdist2);
});
