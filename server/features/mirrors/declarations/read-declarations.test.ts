import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type DeclarationFolder, declarationFolder } from "../../../testing/declared.ts";
import { readDeclarations, WrongDeclarations } from "./read-declarations.ts";

let folder: DeclarationFolder;
beforeEach(async () => {
  folder = await declarationFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

const read = () => readDeclarations({ "declarative.enabled": false, "declarative.paths": [folder.path] });

describe("declarations", () => {
  test("may set everything, and leave out what has a default", async () => {
    await folder.declare(
      "north",
      `
name: north
technology: R
publicationUri: https://packages.example.org/repo/north
serverAddress: http://repo-server:8080/north
mirrors:
  - name: upstream
    uri: https://cran.example.org/
    type: tarball
    syncInterval: "0 30 2 * * *"
    generateManuals: false
    packages:
      - name: tidepool
        version: 1.0.0
      - name: moorings
        generateManuals: true
      - name: "tide*"
  - name: by hand
    uri: https://cran.example.org/other
    syncInterval: ""
`,
    );
    await folder.declare("south", { technology: "python" });
    const [north, south] = await read();
    expect(north).toMatchObject({
      technology: "R",
      deleted: false,
      properties: { published: true, requiresAuthentication: true, redirectToSource: false },
      mirrors: [
        {
          name: "upstream",
          uri: "https://cran.example.org",
          schedule: "30 2 * * *",
          packages: [
            { name: "tidepool", version: "1.0.0", generateManuals: false },
            { name: "moorings", version: null, generateManuals: true },
            { name: "tide*", version: null, generateManuals: false },
          ],
        },
        { name: "by hand", schedule: null, packages: null },
      ],
    });
    expect(south).toMatchObject({ technology: "Python", properties: { hashMethod: "SHA256" }, mirrors: [] });
  });

  const said = { publicationUri: "https://x.example.org/a", serverAddress: "https://x.example.org/a" };
  const mirrored = (mirror: object) => ({ mirrors: [{ name: "m", uri: "https://cran.example.org", ...mirror }] });

  test.for<[string, Record<string, unknown> | string, RegExp]>([
    ["because they are no YAML", "name: [", /bad\.repository\.yaml: cannot be read as YAML/],
    ["with a key twice", "name: a\nname: b", /bad\.repository\.yaml: cannot be read as YAML/],
    ["because they are empty", "", /bad\.repository\.yaml: the file: /],
    ["with an unknown key", { colour: "red" }, /bad\.repository\.yaml: colour: unknown key/],
    ["with a key of the other technology", { hashMethod: "MD5" }, /hashMethod: unknown key/],
    ["without an address", "name: bad\npublicationUri: https://x.example.org/a", /serverAddress: is missing/],
    ["with an address that is none", { serverAddress: "nowhere" }, /error\.invalid\.serveraddress/],
    ["with a name that is none", { name: "a/b" }, /invalid\.repository\.name/],
    ["with a technology that is none", { technology: "Perl" }, /technology: is neither R nor Python/],
    [
      "with the name of another one",
      { ...said, name: "north" },
      /north\.repository\.yaml: repository\.duplicate\.name/,
    ],
    ["with a flag that is none", { published: "yes" }, /published: .*boolean/],
    ["with an unknown key of a mirror", mirrored({ every: "day" }), /mirrors\.0\.every: unknown key/],
    ["with a schedule that is none", mirrored({ syncInterval: "daily" }), /mirrors\.0\.syncInterval: is not a cron/],
    [
      "with a number as version",
      mirrored({ packages: [{ name: "a1", version: 1.1 }] }),
      /packages\.0\.version: must be/,
    ],
    [
      "with a version of a pattern",
      mirrored({ packages: [{ name: "a*", version: "1.0" }] }),
      /version: requires a name/,
    ],
    [
      "with a version that is none",
      mirrored({ packages: [{ name: "a1", version: "x" }] }),
      /version: is not a version/,
    ],
    ["with a list that is none", mirrored({ packages: "some" }), /mirrors\.0\.packages: is neither all nor a list/],
    ["with an address of files", mirrored({ uri: "file:///srv" }), /mirrors\.0\.uri: is not an address/],
    [
      "with a password",
      mirrored({ uri: "https://a:b@cran.example.org" }),
      /uri: must not contain a username or password/,
    ],
    [
      "with two mirrors of one name",
      { mirrors: [1, 2].map(() => ({ name: "m", uri: "https://cran.example.org" })) },
      /mirrors\.1\.name: another mirror has the name m/,
    ],
  ])("that are wrong are refused, by file and key: %s", async ([, content, reason]) => {
    await folder.declare("north", {});
    await folder.declare("bad", content);
    const failure = await readDeclarations({ "declarative.enabled": false, "declarative.paths": [folder.path] }).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(WrongDeclarations);
    expect(String(failure)).toMatch(reason);
  });
});
