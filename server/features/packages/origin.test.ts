import { describe, expect, test } from "vitest";
import { clashOf, type KnownPackage, type OfferedFile } from "./origin.ts";

const offered: OfferedFile = {
  name: "tidepool",
  version: "1.0",
  versionKey: "1.0",
  kind: "source",
  target: "",
  digest: { name: "sha256", value: "theirs" },
};
const known = (it: Partial<KnownPackage> = {}): KnownPackage => ({
  versionKey: "1.0",
  kind: "source",
  target: "",
  digests: { sha256: "ours" },
  mirror: null,
  accepted: true,
  deleted: false,
  waitsToReplace: false,
  ...it,
});
const mirror = { name: "upstream", declared: ["upstream", "second"], sharedNames: false };
const sharing = { ...mirror, sharedNames: true };

describe("an offer of a mirror", () => {
  test.for<[string, KnownPackage[], string | undefined, string | undefined]>([
    ["a name that is not here", [], undefined, undefined],
    ["a version that was uploaded", [known()], "uploaded", "uploaded"],
    ["a version that was uploaded and deactivated or deleted", [known({ deleted: true })], "uploaded", "uploaded"],
    ["another file of such a version", [known({ kind: "binary", target: "x.whl" })], "uploaded", "uploaded"],
    ["another version of an uploaded name", [known({ versionKey: "0.9" })], "name.uploaded", undefined],
    ["the very bytes that were uploaded", [known({ digests: { sha256: "theirs" } })], undefined, undefined],
    ["bytes of a deleted upload", [known({ deleted: true, digests: { sha256: "theirs" } })], "uploaded", "uploaded"],
    ["a file that waits", [known({ accepted: false })], "uploaded", "uploaded"],
    [
      "another version of a name that is only waiting",
      [known({ accepted: false, versionKey: "2" })],
      undefined,
      undefined,
    ],
    ["what was rejected", [known({ accepted: false, deleted: true })], undefined, undefined],
    [
      "its own file, which a waiting upload would replace",
      [known({ mirror: "upstream" }), known({ accepted: false, waitsToReplace: true })],
      undefined,
      undefined,
    ],
    ["its own file", [known({ mirror: "upstream" })], undefined, undefined],
    ["a file of another mirror", [known({ mirror: "second" })], "other.mirror", "other.mirror"],
    [
      "a further version of another mirror's name",
      [known({ mirror: "second", versionKey: "2" })],
      "other.mirror",
      undefined,
    ],
    [
      "another kind of file of a version that another mirror fetched",
      [known({ mirror: "second", kind: "binary" })],
      "other.mirror",
      undefined,
    ],
    ["a file of a mirror that is gone", [known({ mirror: "third" })], undefined, undefined],
    ["a deleted file of another mirror", [known({ mirror: "second", deleted: true })], undefined, undefined],
    [
      "its own name, of which another version was uploaded",
      [known({ mirror: "upstream", versionKey: "2" }), known({ versionKey: "3" })],
      "name.uploaded",
      undefined,
    ],
  ])("%s", ([, packages, alone, shared]) => {
    expect(clashOf(offered, packages, mirror)?.reason).toBe(alone);
    expect(clashOf(offered, packages, sharing)?.reason).toBe(shared);
  });

  test("without a digest does not count as the same", () => {
    expect(clashOf({ ...offered, digest: null }, [known()], mirror)?.reason).toBe("uploaded");
  });
});
