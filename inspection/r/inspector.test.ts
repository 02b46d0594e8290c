import type { Comparison } from "@packhouse/contract/review/comparison";
import { expect, test } from "vitest";
import { compare } from "../compare.ts";
import { inspect } from "../inspect.ts";
import { rPackage } from "../testing/packages.ts";
import { serialized } from "./testing/serialized-data.ts";

const base = {
  "R/height.R": "height <- function(place, day = NULL) {\n  read_table(place)\n}\n",
  "R/read.R": 'read_table <- function(place) utils::read.csv(system.file(place, package = "tides"))\n',
  "R/zzz.R": ".onLoad <- function(libname, pkgname) options(tides.digits = 2)\n",
  "man/height.Rd": "\\name{height}\n\\alias{height}\n",
};

async function freshSignals(changed: Record<string, string | Uint8Array>): Promise<string[]> {
  const [before, after] = [await rPackage(base), await rPackage({ ...base, ...changed }, { version: "1.0.1" })];
  const { signals }: Comparison = compare(await inspect(before.source, before), await inspect(after.source, after));
  return signals.fresh.map(({ level, id, subject }) => `${level} ${id} ${subject}`);
}

test("an ordinary update has no signals", async () => {
  const changed = {
    "R/height.R": "height <- function(place, day = NULL, ...) {\n  table <- read_table(place)\n  table[1, ]\n}\n",
    "R/low.R": "# A new file.\nlow <- function(place) min(height(place)$height)\n",
    "tests/testthat/test-low.R": 'test_that("low", expect_equal(low("a"), 1))\n',
    "data/places.rda": serialized.plain,
    "NEWS.md": "# tides 1.0.1\n",
  };
  expect(await freshSignals(changed)).toEqual([]);
});

test("an update that runs something at loading has warnings", async () => {
  const changed = { "R/zzz.R": '.onLoad <- function(libname, pkgname) {\n  system2("curl", "example")\n}\n' };
  expect(await freshSignals(changed)).toEqual(["warning process system2", "warning r-on-load .onLoad"]);
});

test("an update with code in its data is a danger", async () => {
  expect(await freshSignals({ "R/sysdata.rda": serialized.saved })).toEqual(["danger r-data-with-code function"]);
});

test("the inspection of an archive has the interface and all indicators", async () => {
  const sample = await rPackage({ ...base, "R/broken.R": "f <- function( {" });
  const { interface: entries, indicators, signals } = await inspect(sample.source, sample);
  expect(entries.map(({ name, file }) => [name, file])).toEqual([["height", "R/height.R"]]);
  expect(indicators.map(({ id, value }) => [id, value])).toEqual(
    expect.arrayContaining([
      ["documented", "1 of 1"],
      ["vignettes", "0"],
      ["tests", "0"],
    ]),
  );
  expect(new Set(indicators.map(({ id }) => id)).size).toBe(indicators.length);
  expect(signals.map(({ id, file }) => [id, file])).toContainEqual(["unparsed", "R/broken.R"]);
});
