import { readFileSync } from "node:fs";
import { parse as parseYaml } from "yaml";
import type { z } from "zod";
import { OperatorError } from "../errors/operator-error.ts";
import { settingTable } from "./setting-table.ts";

export type SettingName = keyof typeof settingTable;
export type Settings = { readonly [Name in SettingName]: z.output<(typeof settingTable)[Name]["schema"]> };

/** Settings with passwords and keys in them. */
const secretSettings = [
  "databaseUrl",
  "admin.password",
  "people",
  "auth.session.secret",
  "auth.session.previousSecret",
  "auth.oidc.clientSecret",
  "console.submissionToken",
  "mail.password",
] as const satisfies readonly SettingName[];

export const isSecret = (name: string): boolean => secretSettings.some((secret) => secret === name);

/** The variable that stands for a setting: `accessTokens.lifetimeDefault` is `PACKHOUSE_ACCESS_TOKENS_LIFETIME_DEFAULT`. */
export const variableOf = (name: string): string =>
  `PACKHOUSE_${name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(".", "_")
    .toUpperCase()}`;

/** Settings that are wrong, each with its reason; never with its value, which may be a secret. */
export class WrongSettings extends OperatorError {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`Invalid settings:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
    this.problems = problems;
  }
}

/** Variables read by commands and scripts around the server; known, but not settings of it. */
const foreignVariables = new Set([
  "PACKHOUSE_CONFIG",
  "PACKHOUSE_DEMO_PASSWORD",
  "PACKHOUSE_FIXTURES",
  "PACKHOUSE_PERSON_PASSWORD",
]);

/** Reads all settings from the environment and the file that it names. */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const problems: string[] = [];
  const fromFile = environment.PACKHOUSE_CONFIG ? readFile(environment.PACKHOUSE_CONFIG, problems) : new Map();
  const variables = new Map(Object.keys(settingTable).map((name) => [variableOf(name), name]));

  for (const name of fromFile.keys()) {
    if (!(name in settingTable)) problems.push(`${name}: unknown setting`);
  }
  for (const variable of Object.keys(environment)) {
    if (variable.startsWith("PACKHOUSE_") && !variables.has(variable) && !foreignVariables.has(variable))
      problems.push(`${variable}: unknown setting`);
  }

  const values: Record<string, unknown> = {};
  for (const [name, { schema }] of Object.entries(settingTable)) {
    const variable = environment[variableOf(name)];
    const given = variable === undefined || variable === "" ? fromFile.get(name) : variable;
    const result = schema.safeParse(given);
    if (result.success) values[name] = result.data;
    else
      problems.push(`${variableOf(name)} (${name}): ${result.error.issues.map((issue) => issue.message).join("; ")}`);
  }
  if (problems.length > 0) throw new WrongSettings(problems);

  const settings = values as Settings; // every name of the table has been parsed by its own schema just above
  if (settings["auth.oidc.enabled"])
    for (const name of ["auth.oidc.issuer", "auth.oidc.clientId"] as const)
      if (settings[name] === undefined)
        throw new WrongSettings([`${variableOf(name)} (${name}): is required to sign in through a provider`]);
  const mail = mailProblems(settings);
  if (mail.length > 0) throw new WrongSettings(mail);
  if (!settings.publicUrl && !isLoopback(settings.host))
    throw new WrongSettings(["PACKHOUSE_PUBLIC_URL (publicUrl): is required to listen on anything but loopback"]);
  return settings;
}

function mailProblems(settings: Settings): string[] {
  const problem = (name: SettingName, what: string) => `${variableOf(name)} (${name}): ${what}`;
  const { "mail.host": host, "mail.user": user, "mail.password": password } = settings;
  return [
    ...(host !== undefined && settings["mail.fromAddress"] === undefined
      ? [problem("mail.fromAddress", "is required to send mail")]
      : []),
    ...(user !== undefined && password === undefined ? [problem("mail.password", "is required with mail.user")] : []),
    ...(password !== undefined && user === undefined ? [problem("mail.user", "is required with mail.password")] : []),
    ...(password !== undefined && settings["mail.security"] === "none"
      ? [problem("mail.security", "must not be none if a password is sent")]
      : []),
  ];
}

export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);

const unreadable: Record<string, string> = {
  ENOENT: "there is no file",
  ENOTDIR: "there is no file",
  EACCES: "this account is not allowed to read",
  EISDIR: "a folder is not a settings file:",
};

/** Flattens the file's nested keys to dotted names; `people` stays as it is. */
function readFile(path: string, problems: string[]): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const collect = (value: unknown, prefix: string) => {
    if (value !== null && typeof value === "object" && !Array.isArray(value)) {
      for (const [key, inner] of Object.entries(value)) collect(inner, prefix ? `${prefix}.${key}` : key);
    } else if (prefix) found.set(prefix, value);
  };
  try {
    collect(parseYaml(readFileSync(path, "utf8")), "");
  } catch (error) {
    if (error instanceof Error && "code" in error && typeof error.code === "string" && "syscall" in error) {
      problems.push(`PACKHOUSE_CONFIG: ${unreadable[error.code] ?? `there is a problem with (${error.code})`} ${path}`);
      return found;
    }
    problems.push(
      `PACKHOUSE_CONFIG: ${path} cannot be read as YAML: ${error instanceof Error ? error.message : "unknown reason"}`,
    );
  }
  return found;
}
