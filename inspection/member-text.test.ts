import { bytesOf } from "@packhouse/formats/byte-source";
import { expect, test } from "vitest";
import { readText } from "./member-text.ts";
import { rPackage, wheel } from "./testing/packages.ts";

test("reads one text of an archive, in its encoding", async () => {
  const sample = await rPackage({ "R/a.R": "a <- 1\n", "R/b.R": Buffer.from("# \xe9\n", "latin1"), "R/c.R": "" });
  expect(await readText(sample, "R/a.R")).toBe("a <- 1\n");
  expect(await readText(sample, "R/b.R")).toBe("# é\n");
  expect(await readText(sample, "R/c.R")).toBe("");
  expect(await readText(await wheel({ "tides/a.py": "a = 1\n" }), "tides/a.py")).toBe("a = 1\n");
});

test("has no text of what is not there, is no text or comes after the damage of an archive", async () => {
  const sample = await rPackage({ "R/a.R": "a <- 1\n", "data/a.rds": Buffer.from([0, 1, 2]) });
  expect(await readText(sample, "R/b.R")).toBeNull();
  expect(await readText(sample, "../a.R")).toBeNull();
  expect(await readText(sample, "data/a.rds")).toBeNull();
  expect(await readText({ ...sample, source: bytesOf(Buffer.from("nothing")) }, "R/a.R")).toBeNull();
});
