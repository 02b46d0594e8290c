import { disproportion } from "@packhouse/fixtures/growth";
import { describe, expect, test } from "vitest";
import { acceptedTypes, acceptsGzip, preferredLanguage } from "./accept.ts";

describe("the media types that a client accepts", () => {
  test.each([
    [undefined, ["*/*"]],
    ["", ["*/*"]],
    ["application/json", ["application/json"]],
    ["APPLICATION/Json; charset=utf-8", ["application/json"]],
    ["text/html;q=0.2, image/png;q=0.9, */*;q=0.5", ["image/png", "*/*", "text/html"]],
    ["text/html, image/png", ["text/html", "image/png"]],
    ["text/html;q=0, image/png;q=0.000, */*", ["*/*"]],
    ["text/html;q=much", []],
    ['text/html;level="a, image/png", text/plain', ["text/html", "text/plain"]],
    ["constructor, ,;q=1", []],
  ])("of %j", (accept, types) => {
    expect(acceptedTypes(accept)).toEqual(types);
  });
});

test.each([
  [undefined, false],
  ["", false],
  ["identity", false],
  ["br, GZip", true],
  ["*", true],
  ["gzip;q=0.1, identity", true],
  ["gzip;q=0", false],
  ["*, gzip;q=0", false],
])("gzip for a client that accepts %j: %s", (accept, answer) => {
  expect(acceptsGzip(accept)).toBe(answer);
});

test.each([
  [undefined, "en"],
  ["", "en"],
  ["pl", "pl"],
  ["pl-PL,pl;q=0.9,en-US;q=0.8,en;q=0.7", "pl"],
  ["en-US,en;q=0.9,pl;q=0.8", "en"],
  ["de-DE,de;q=0.9", "en"],
  ["de,pl;q=0.3", "pl"],
  ["*", "en"],
  ["PL", "pl"],
  ["pl;q=0", "en"],
  ["constructor, ,;q=1", "en"],
])("the language of a reader who accepts %j: %s", (accept, answer) => {
  expect(preferredLanguage(accept, ["en", "pl"])).toBe(answer);
});

test.each(["a/b,", "a/b;q=0.1,", 'a/b;x="', "gzip,", ",", ";", " ", '"', "\\"])(
  "reading many times %j takes time in proportion to the length",
  async (piece) => {
    const ofLength = (length: number) => `a/b;${piece.repeat(length / piece.length)}`;
    for (const read of [acceptedTypes, acceptsGzip, (text: string) => preferredLanguage(text, ["en", "pl"])])
      expect(await disproportion(ofLength, read, "128 KiB")).toBeUndefined();
  },
);
