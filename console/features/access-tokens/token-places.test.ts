import { describe, expect, test } from "vitest";
import { tokenPlaces } from "./token-places.ts";

describe("the places for an access token", () => {
  const places = Object.fromEntries(
    tokenPlaces("mara@example.org", "pkh_secret", "https://packages.example.org/packhouse").map((place) => [
      place.name,
      place.text,
    ]),
  );

  test("keep the server's path and escape the login in addresses", () => {
    expect(places["pip.conf"]).toContain(
      "https://mara%40example.org:pkh_secret@packages.example.org/packhouse/repo/REPOSITORY/simple/",
    );
    expect(places[".netrc"]).toContain("machine packages.example.org\nlogin mara@example.org\n");
  });

  test("send uploads to where twine and uv support them", () => {
    for (const name of [".pypirc", "uv"])
      expect(places[name]).toContain("https://packages.example.org/packhouse/repo/REPOSITORY/legacy/");
  });

  test("quote any login as one word", () => {
    const odd = Object.fromEntries(
      tokenPlaces("mara $(id) 'q", "pkh_secret", "https://packages.example.org").map(({ name, text }) => [name, text]),
    );
    expect(odd.curl).toContain(`--user 'mara $(id) '\\''q:pkh_secret' `);
    expect(odd.uv).toContain(`UV_PUBLISH_USERNAME='mara $(id) '\\''q'\n`);
    expect(odd[".netrc"]).toContain(`login "mara $(id) 'q"\n`);
  });
});
