import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { settingTable } from "./setting-table.ts";
import { isSecret, readSettings, variableOf, WrongSettings } from "./settings.ts";
import { settingsPage } from "./settings-page.ts";

const problemsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readSettings(environment);
  } catch (error) {
    if (error instanceof WrongSettings) return error.problems;
    throw error;
  }
  return [];
};

describe("the settings", () => {
  test("are read from variables that follow from their names", () => {
    expect(variableOf("accessTokens.lifetimeDefault")).toBe("PACKHOUSE_ACCESS_TOKENS_LIFETIME_DEFAULT");
    const settings = readSettings({
      PACKHOUSE_PORT: "9000",
      PACKHOUSE_DELETING_PACKAGES: "false",
      PACKHOUSE_R_VERSIONS: "4.4, 4.5",
    });
    expect([settings.port, settings["deleting.packages"], settings["r.versions"]]).toEqual([
      9000,
      false,
      ["4.4", "4.5"],
    ]);
  });

  test("may be in a file, which variables override", async () => {
    const folder = await mkdtemp(join(tmpdir(), "packhouse-settings-"));
    const file = join(folder, "packhouse.yaml");
    await writeFile(file, "port: 9001\nupload:\n  maxBytes: 1000\npeople:\n  - login: mara\n    password: secret\n");
    const settings = readSettings({ PACKHOUSE_CONFIG: file, PACKHOUSE_PORT: "9002" });
    expect([settings.port, settings["upload.maxBytes"], settings.people[0]?.login]).toEqual([9002, 1000, "mara"]);
    await rm(folder, { recursive: true });
  });

  test("that are lists are separated by commas, or written as in YAML and JSON", () => {
    for (const given of [
      "https://a.example.org, https://b.example.org:8443/",
      '["https://a.example.org","https://b.example.org:8443"]',
    ])
      expect(readSettings({ PACKHOUSE_ALLOWED_ORIGINS: given }).allowedOrigins).toEqual([
        "https://a.example.org",
        "https://b.example.org:8443",
      ]);
    expect(problemsOf({ PACKHOUSE_R_VERSIONS: "[4.4" })).toEqual([
      "PACKHOUSE_R_VERSIONS (r.versions): cannot be read as YAML or JSON",
    ]);
    expect(problemsOf({ PACKHOUSE_PEOPLE: "[{" })).toEqual([
      "PACKHOUSE_PEOPLE (people): cannot be read as YAML or JSON",
    ]);
    for (const origin of ["*", "example.org", "https://example.org/path", "ftp://example.org"])
      expect(problemsOf({ PACKHOUSE_PUBLICATION_TARGETS: origin })).toEqual([
        expect.stringContaining("list of origins"),
      ]);
  });

  test("refuse names and addresses of people that are too long for lists", () => {
    for (const field of ["login", "name", "email"])
      expect(
        problemsOf({ PACKHOUSE_PEOPLE: JSON.stringify([{ login: "mara", [field]: "m".repeat(256) }]) }),
        field,
      ).toEqual([expect.stringContaining("PACKHOUSE_PEOPLE (people):")]);
  });

  test("name every one that is wrong, and never a value", () => {
    const problems = problemsOf({
      PACKHOUSE_PORT: "eighty",
      PACKHOUSE_AUTH_SESSION_SECRET: "short-secret",
      PACKHOUSE_COLOUR: "red",
    });
    expect(problems.map((problem) => problem.split(" ")[0])).toEqual([
      "PACKHOUSE_COLOUR:",
      "PACKHOUSE_PORT",
      "PACKHOUSE_AUTH_SESSION_SECRET",
    ]);
    expect(problems.join()).not.toMatch(/eighty|short-secret/);
  });

  test("state in plain words what a number or a flag must be", () => {
    const problem = (variable: string, value: string) => problemsOf({ [variable]: value })[0];
    expect(problem("PACKHOUSE_PORT", "eighty")).toBe("PACKHOUSE_PORT (port): must be a whole number");
    expect(problem("PACKHOUSE_PORT", "70000")).toBe("PACKHOUSE_PORT (port): must be at most 65535");
    expect(problem("PACKHOUSE_UNDO_SECONDS", "-1")).toBe(
      "PACKHOUSE_UNDO_SECONDS (undoSeconds): must be a whole number",
    );
    expect(problem("PACKHOUSE_DEVELOPER", "yes")).toBe("PACKHOUSE_DEVELOPER (developer): must be true or false");
  });

  test("require the public address to listen on more than loopback", () => {
    expect(problemsOf({ PACKHOUSE_HOST: "0.0.0.0" })).toEqual([expect.stringContaining("PACKHOUSE_PUBLIC_URL")]);
    expect(problemsOf({ PACKHOUSE_HOST: "0.0.0.0", PACKHOUSE_PUBLIC_URL: "https://packages.example.org" })).toEqual([]);
  });

  test("of mail name what is missing, and never send a password without encryption", () => {
    const host = { PACKHOUSE_MAIL_HOST: "mail.example.org" };
    const from = { ...host, PACKHOUSE_MAIL_FROM_ADDRESS: "packhouse@example.org" };
    expect(problemsOf(host)).toEqual([expect.stringContaining("PACKHOUSE_MAIL_FROM_ADDRESS")]);
    expect(problemsOf({ ...host, PACKHOUSE_MAIL_FROM_ADDRESS: "Packhouse <packhouse@example.org>" })).toEqual([
      "PACKHOUSE_MAIL_FROM_ADDRESS (mail.fromAddress): is not one mail address such as name@example.org",
    ]);
    expect(problemsOf({ ...from, PACKHOUSE_MAIL_USER: "packhouse" })).toEqual([
      "PACKHOUSE_MAIL_PASSWORD (mail.password): is required with mail.user",
    ]);
    const credentials = { ...from, PACKHOUSE_MAIL_USER: "packhouse", PACKHOUSE_MAIL_PASSWORD: "secret" };
    expect(problemsOf({ ...credentials, PACKHOUSE_MAIL_SECURITY: "none" })).toEqual([
      "PACKHOUSE_MAIL_SECURITY (mail.security): must not be none if a password is sent",
    ]);
    expect(problemsOf(credentials)).toEqual([]);
    expect(readSettings({})["mail.host"]).toBeUndefined();
  });

  test("require issuer and client for provider sign-in, and read which group gives which role", () => {
    const oidc = { PACKHOUSE_AUTH_OIDC_ENABLED: "true", PACKHOUSE_AUTH_OIDC_ISSUER: "https://id.example.org" };
    expect(problemsOf(oidc)).toEqual([expect.stringContaining("PACKHOUSE_AUTH_OIDC_CLIENT_ID")]);
    const groups = { PACKHOUSE_AUTH_OIDC_GROUP_ROLES: "packhouse admins=admin, cn=approvers,x=y" };
    expect(problemsOf(groups)).toEqual([expect.stringContaining("PACKHOUSE_AUTH_OIDC_GROUP_ROLES")]);
    expect(problemsOf({ PACKHOUSE_AUTH_OIDC_REQUIRED_CLAIMS: "hd" })).toEqual([
      expect.stringContaining("PACKHOUSE_AUTH_OIDC_REQUIRED_CLAIMS"),
    ]);
    const settings = readSettings({
      ...oidc,
      PACKHOUSE_AUTH_OIDC_REQUIRED_CLAIMS: "hd = example.org,aud=a=b",
      PACKHOUSE_AUTH_OIDC_CLIENT_ID: "packhouse",
      PACKHOUSE_AUTH_OIDC_GROUP_ROLES: "packhouse admins=admin, cn=approvers = repositorymaintainer",
    });
    expect(settings["auth.oidc.requiredClaims"]).toEqual([
      { claim: "hd", value: "example.org" },
      { claim: "aud", value: "a=b" },
    ]);
    expect(settings["auth.oidc.groupRoles"]).toEqual([
      { group: "packhouse admins", role: "admin" },
      { group: "cn=approvers", role: "repositorymaintainer" },
    ]);
  });

  test("with passwords and keys are known as secrets", () => {
    const secretNames = Object.keys(settingTable).filter((name) =>
      /(password|secret|submissionToken|databaseUrl|people)$/i.test(name),
    );
    expect(secretNames.length).toBeGreaterThan(5);
    expect(secretNames.filter((name) => !isSecret(name))).toEqual([]);
  });
  test("are all in the manual", () => {
    expect(readFileSync(join(import.meta.dirname, "../../../docs/settings.md"), "utf8")).toBe(settingsPage());
  });
});
