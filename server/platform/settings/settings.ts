import { readFileSync } from "node:fs";
import { supportedLanguages } from "@packhouse/contract/user-settings";
import { theme } from "@packhouse/contract/users";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { OperatorError } from "../errors/operator-error.ts";
import { s3Address } from "./s3-address.ts";
import {
  claimValues,
  color,
  flag,
  groupRoles,
  integer,
  list,
  mailAddress,
  optionalText,
  origins,
  people,
  readRights,
  roles,
} from "./setting-types.ts";

const mebibyte = 1024 * 1024;

interface Setting<Schema extends z.ZodType> {
  schema: Schema;
  meaning: string;
}
const setting = <Schema extends z.ZodType>(schema: Schema, meaning: string): Setting<Schema> => ({ schema, meaning });

/**
 * Every setting: name, type, default and meaning; the manual's page is generated from this table. `a.bC` in the file
 * that `PACKHOUSE_CONFIG` names is `PACKHOUSE_A_B_C` in the environment, which wins.
 */
export const settingTable = {
  host: setting(z.string().default("127.0.0.1"), "Address to listen on. Anything but loopback needs `publicUrl`."),
  port: setting(integer(0, 65_535).default(8017), "Port to listen on."),
  publicUrl: setting(
    z.url({ protocol: /^https?$/ }).optional(),
    "Scheme, host and path prefix under which users reach the server, such as `https://packages.example.org/packhouse`. Without it only loopback is served.",
  ),
  dataDir: setting(
    z.string().min(1).default("./data"),
    "Folder of the embedded database, of the local storage, and of uploads that have just arrived.",
  ),
  databaseUrl: setting(
    z
      .string()
      .refine((text) => URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol), {
        error: "is not of the form postgres://user:password@host:port/database?sslmode=verify-full",
      })
      .optional(),
    "A database of a PostgreSQL server (15 or later), `postgres://user:password@host:port/database?sslmode=verify-full`. Without it an embedded one is started.",
  ),
  "database.poolSize": setting(integer(2, 1000).default(10), "Connections of one server process to the database."),
  "database.waitMs": setting(
    integer(100).default(5000),
    "How long a request waits for one of them, in milliseconds, before it is answered by 503.",
  ),
  "shutdown.delayMs": setting(
    integer(0).default(0),
    "For how long a server that is told to stop says that it is not ready, but still takes connections, in milliseconds: as long as a balancer needs to notice.",
  ),
  "shutdown.timeoutSeconds": setting(
    integer(1).default(30),
    "How long requests and jobs that run may then take to end, in seconds.",
  ),
  "overload.eventLoopDelayMs": setting(
    integer(0).default(1000),
    "Mean delay of the event loop in a second, in milliseconds, beyond which requests are answered by 503: uploads beyond half of it, reading of indexes and packages only beyond twice as much. 0: never.",
  ),
  "overload.memoryMegabytes": setting(
    integer(0).default(0),
    "Resident memory of the process, in MB, beyond which the same happens, to uploads beyond nine tenths of it. 0: never.",
  ),
  storageUrl: setting(
    s3Address.optional(),
    "A bucket of an S3-compatible server for the bytes of packages, `s3://bucket/prefix?endpoint=…&region=…&pathStyle=true`; its credentials come from `AWS_ACCESS_KEY_ID` and the like. Without it they lie in the data folder.",
  ),
  logLevel: setting(
    z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
    "How much is logged.",
  ),
  "log.requests": setting(
    flag.default(false),
    "Whether each request gets a line in the log, with its route, status, duration, bytes, trace and person.",
  ),
  "metrics.port": setting(
    integer(1, 65_535).optional(),
    "Port on which the metrics for Prometheus can be had without signing in, for a network that only it reaches. Administrators have them at `/actuator/prometheus` in any case.",
  ),
  "metrics.host": setting(z.string().min(1).default("127.0.0.1"), "Address on which that port listens."),
  "metrics.packages": setting(
    integer(0, 100_000).default(1000),
    "How many packages have a metric of their downloads of their own, in the order in which they are downloaded; the others are counted together. 0: all of them.",
  ),
  "telemetry.endpoint": setting(
    z.url({ protocol: /^https?$/ }).optional(),
    "Collector of OpenTelemetry that traces are sent to by OTLP over HTTP, such as `http://127.0.0.1:4318`; `/v1/traces` is appended.",
  ),
  trustedProxies: setting(list.default([]), "Addresses of proxies whose `X-Forwarded-For` is believed."),
  allowedOrigins: setting(origins.default([]), "Origins whose pages may call the API from a browser."),
  "admin.login": setting(z.string().min(1).default("admin"), "Login of the first administrator, while there is none."),
  "admin.password": setting(optionalText, "His password; generated and printed once when it is not given."),
  people: setting(
    people.default([]),
    "People who sign in by password: login, name, email, role, password or passwordHash.",
  ),
  readRights: setting(
    readRights.default([]),
    "Repositories that are not for everybody who is signed in: repository, and who may read it, by role (this one and higher) or groups of the identity provider. Their maintainers and administrators may always.",
  ),
  "auth.simple": setting(flag.default(true), "Whether people may sign in by name and password."),
  "auth.lookalikeLogins": setting(
    flag.default(false),
    "Whether new accounts may have logins that are easily taken for existing ones, such as `adm1n` where there is an `admin`.",
  ),
  "auth.session.minutes": setting(
    integer(1, 43_200).default(480),
    "How long a session by password lasts at most, in minutes, however much it is used.",
  ),
  "auth.session.idleMinutes": setting(
    integer(0, 43_200).default(120),
    "How long a session by password lasts without being used, in minutes. 0: as long as `auth.session.minutes` allows.",
  ),
  "auth.password.minLength": setting(
    integer(8, 128).default(8),
    "How many characters a new password has at least. Common ones are refused whatever their length.",
  ),
  "auth.password.linkHours": setting(
    integer(1, 720).default(24),
    "How long a one-time link for setting a password works, in hours.",
  ),
  "auth.session.secret": setting(
    z.string().min(32).optional(),
    "Key that signs sessions; generated and kept in the database otherwise.",
  ),
  "auth.session.previousSecret": setting(
    z.string().min(32).optional(),
    "The key before `auth.session.secret`, for one lifetime after it was changed: whoever is signed in stays so.",
  ),
  "auth.secondFactor.requiredFor": setting(
    roles.default([]),
    "Roles whose users need a second factor to sign in by password, such as `admin, repositorymaintainer`. Users who have none add one at their next sign-in. Access tokens and the identity provider are not affected.",
  ),
  "auth.oidc.enabled": setting(flag.default(false), "Whether people may sign in at an OpenID Connect provider."),
  "auth.oidc.issuer": setting(
    z.url({ protocol: /^https?$/ }).optional(),
    "The provider's issuer, exactly as its discovery document names it.",
  ),
  "auth.oidc.clientId": setting(optionalText, "Client of the console at the provider: public, with PKCE, no secret."),
  "auth.oidc.clientSecret": setting(
    optionalText,
    "Only for providers that demand one of public clients, too, such as Google. Everybody who opens the console can read it.",
  ),
  "auth.oidc.requiredClaims": setting(
    claimValues.default([]),
    "What tokens must say to be taken at all, such as `hd=example.org`; a claim with several values must have this one among them.",
  ),
  "auth.oidc.audience": setting(optionalText, "Audience that tokens must have; the client id unless it is given."),
  "auth.oidc.scope": setting(z.string().min(1).default("openid profile email"), "Scopes that the console asks for."),
  "auth.oidc.token": setting(
    z.enum(["access", "id"]).default("access"),
    "Which of the provider's tokens the console sends to the API: `id` for providers whose access tokens are no JWT.",
  ),
  "auth.oidc.origins": setting(
    origins.default([]),
    "Origins beside the issuer's own that the browser needs to reach at the provider, such as that of its token endpoint.",
  ),
  "auth.oidc.loginClaim": setting(
    z.string().min(1).default("preferred_username"),
    "Claim with the login; a token without it is refused.",
  ),
  "auth.oidc.nameClaim": setting(z.string().min(1).default("name"), "Claim with the name."),
  "auth.oidc.emailClaim": setting(z.string().min(1).default("email"), "Claim with the e-mail address."),
  "auth.oidc.link": setting(
    z.enum(["none", "verified-email", "login"]).default("none"),
    "Whether somebody from the provider takes over, once, the local account with his verified e-mail address or his login.",
  ),
  "auth.oidc.admins": setting(
    list.default([]),
    "People from the provider who are always administrators: `issuer#subject`, `#subject`, or the login of the account. A subject alone works if it contains a digit and is nobody's login.",
  ),
  "auth.oidc.groupsClaim": setting(
    optionalText,
    "Claim with the groups that decide roles; a path such as `realm_access.roles` looks inside.",
  ),
  "auth.oidc.groupRoles": setting(
    groupRoles.default([]),
    "Which group gives which role, such as `packhouse-admins=admin, approvers=repositorymaintainer`; the highest counts, none is `user`. Empty: roles are given in the console.",
  ),
  "auth.oidc.groupRolesDryRun": setting(flag.default(false), "Only log which roles the groups would give."),
  "securityEvents.days": setting(
    integer(1, 36_500).default(365),
    "Days for which security events are kept: sign-ins, changes of passwords and accounts, uses of tokens. What happened to packages and repositories is kept for good.",
  ),
  "securityEvents.addressDays": setting(
    integer(1, 36_500).default(90),
    "Days after which client addresses, and logins that no account has, are removed from security events.",
  ),
  "securityEvents.downloads": setting(
    flag.default(false),
    "Whether downloads from repositories that are not open to everybody are security events: one for each person, file and hour.",
  ),
  "deleting.packages": setting(flag.default(true), "Whether packages may be deleted."),
  "deleting.repositories": setting(flag.default(true), "Whether repositories may be deleted."),
  "replacing.packages": setting(
    flag.default(true),
    "Whether an upload may replace a package of the same name and version.",
  ),
  generateManuals: setting(
    flag.default(true),
    "Whether a PDF manual is built from an R package when its uploader does not say.",
  ),
  "accessTokens.lifetimeDefault": setting(
    integer(1, 365).default(30),
    "Days that an access token lives unless its creator says otherwise.",
  ),
  "accessTokens.lifetimeMaximum": setting(integer(1, 365).default(365), "Days that a new access token lives at most."),
  "accessTokens.lifetimeConfigurable": setting(
    flag.default(true),
    "Whether the creator of an access token may choose its lifetime.",
  ),
  "defaults.language": setting(
    z.enum(supportedLanguages).default("en-US"),
    "Language of people who have not chosen one.",
  ),
  "defaults.theme": setting(theme.default("dark"), "Theme of people who have not chosen one."),
  "defaults.pageSize": setting(integer(1, 1000).default(10), "Rows per page of people who have not chosen."),
  "upload.maxBytes": setting(integer(1).default(1000 * mebibyte), "Largest upload, in bytes."),
  "upload.maxUnpackedBytes": setting(
    integer(1).default(2048 * mebibyte),
    "Largest size of an unpacked archive, in bytes.",
  ),
  "upload.maxRatio": setting(
    integer(1).default(200),
    "How many times its own size an archive may unpack to, once 64 MiB are unpacked.",
  ),
  "workers.count": setting(
    integer(1, 64).optional(),
    "How many uploaded archives and indexes are read at once, each in a process of its own. As many as the machine has cores, at most 8, unless it is given.",
  ),
  "workers.seconds": setting(
    integer(1).default(20),
    "How long reading one of them may take, in seconds, and one more for each 20 MB of the file. What takes longer is refused.",
  ),
  "workers.heapMegabytes": setting(
    integer(64).default(512),
    "How much memory the values read from one of them may take, in MB. What takes more is refused.",
  ),
  "workers.queue": setting(
    integer(1).default(100),
    "How many of them may wait for their turn; further requests are answered by 503.",
  ),
  "upload.parallel": setting(
    integer(1, 1000).default(16),
    "How many uploads one server process takes in at once; one user gets half of them at most.",
  ),
  "upload.queue": setting(
    integer(0, 100_000).default(1000),
    "How many further uploads wait for their turn, up to a minute; beyond that they are answered by 503.",
  ),
  "limits.waiting.perUser": setting(
    integer(0).default(2000),
    "How many submissions of one user may wait for a decision. 0: any number.",
  ),
  "limits.waiting.perRepository": setting(
    integer(0).default(10_000),
    "How many submissions may wait in one repository. 0: any number.",
  ),
  "limits.waiting.bytesPerUser": setting(
    integer(0).default(20 * 1024 * mebibyte),
    "How many bytes the packages of one user's waiting submissions may have together. 0: any number.",
  ),
  "limits.uploads.perUser": setting(
    integer(0).default(1200),
    "How many files one user may upload per minute, counted by each server process. 0: any number.",
  ),
  "limits.uploads.perAddress": setting(
    integer(0).default(4800),
    "How many files may be uploaded from one client address per minute. 0: any number.",
  ),
  "limits.calls.perUser": setting(
    integer(0).default(12_000),
    "How many calls of the API one user may make per minute, counted by each server process. Installing packages is not limited. 0: any number.",
  ),
  "limits.calls.perAddress": setting(
    integer(0).default(48_000),
    "How many calls of the API may come from one client address per minute; attempts to sign in and calls without valid credentials count ten times. Behind a proxy, list it in `trustedProxies`, or all clients are one address. 0: any number.",
  ),
  "limits.accessTokens.perUser": setting(
    integer(0).default(100),
    "How many active access tokens one user may have. 0: any number.",
  ),
  "storage.keepUnnamedHours": setting(
    integer(0).default(24),
    "How long bytes stay that no package and no index names any more, in hours.",
  ),
  "maintainers.several": setting(flag.default(false), "Whether a package may have several package maintainers."),
  "publication.waitMs": setting(
    integer(0, 60_000).default(5000),
    "How long a change waits for its index before it answers, in milliseconds.",
  ),
  "publication.targets": setting(
    origins.default([]),
    "Origins of repository servers, such as `https://store.example.org`. Repositories whose server address has one of them are pushed there.",
  ),
  "publication.exportFolder": setting(
    optionalText,
    "Folder into which repositories that are open to everybody are written as plain files, for any web server.",
  ),
  "declarative.enabled": setting(
    flag.default(false),
    "Whether repositories are what the files of `declarative.paths` declare and nothing else: they cannot be created, changed, published or deleted by the API, and what is not declared is taken offline and marked as deleted at the start.",
  ),
  "declarative.paths": setting(
    list.default([]),
    "Folders whose files `…repository.yaml` declare one repository each, with its mirrors.",
  ),
  "mirrors.allowPrivateAddresses": setting(
    flag.default(false),
    "Whether mirrors may be read from private, loopback and link-local addresses.",
  ),
  "mirrors.reservedNames": setting(
    list.default([]),
    "Names of packages, or patterns such as `acme*`, that no mirror brings into any repository.",
  ),
  "mirrors.parallel": setting(integer(1, 64).default(4), "How many files of mirrors are downloaded at once."),
  "mirrors.requestsPerSecond": setting(
    integer(1, 1000).default(10),
    "How many requests each host of a mirror gets, at most, per second.",
  ),
  "mail.host": setting(
    optionalText,
    "Mail server (SMTP) through which users get mail about what concerns them ([docs/mail.md](mail.md)). Without it no mail is sent.",
  ),
  "mail.port": setting(
    integer(1, 65_535).optional(),
    "Its port. Unless it is given, 465 with `tls`, 587 with `starttls`, 25 with `none`.",
  ),
  "mail.security": setting(
    z.enum(["starttls", "tls", "none"]).default("starttls"),
    "How the connection is encrypted: `tls` from its start, `starttls` before anything is sent; or not at all, `none`, which allows no password. Certificates are verified; `NODE_EXTRA_CA_CERTS` adds authorities.",
  ),
  "mail.user": setting(optionalText, "User at the mail server, if it requires one."),
  "mail.password": setting(optionalText, "Password of that user."),
  "mail.fromAddress": setting(mailAddress.optional(), "Address that mail is sent from; required with `mail.host`."),
  "mail.fromName": setting(optionalText, "Name that mail is sent from; `title` unless it is given."),
  "mail.collectSeconds": setting(
    integer(0, 3600).default(60),
    "For how many seconds nothing more must have happened before a user gets one mail about all of it. After ten times as long the mail is sent anyway.",
  ),
  "mail.dailyHour": setting(
    integer(0, 23).default(6),
    "Hour (UTC) at which users who chose one mail a day get theirs.",
  ),
  "r.versions": setting(
    list.default(["3.6", "4.0", "4.1", "4.2", "4.3", "4.4", "4.5"]),
    "R versions for which binaries are taken.",
  ),
  "r.architectures": setting(list.default(["x86_64", "x86"]), "Architectures for which R binaries are taken."),
  "r.distributions": setting(
    list.default(["centos7", "centos8", "rhel9", "opensuse155", "focal", "jammy", "noble", "bullseye", "bookworm"]),
    "Distributions for which R binaries are taken.",
  ),
  undoSeconds: setting(
    integer(0, 60).default(5),
    "Seconds for which the console holds back what cannot be undone; 0 asks for confirmation instead.",
  ),
  title: setting(z.string().min(1).default("Packhouse"), "Name that the console shows."),
  developer: setting(flag.default(false), "Developer mode of the console."),
  "console.smallLogo.address": setting(
    optionalText,
    "Address of a picture in place of the product's mark in the top bar of the console.",
  ),
  "console.smallLogo.width": setting(integer(1, 2000).default(40), "Its width in pixels."),
  "console.smallLogo.height": setting(integer(1, 2000).default(40), "Its height in pixels."),
  "console.smallLogo.className": setting(z.string().default(""), "Classes that it gets."),
  "console.smallLogo.style": setting(z.string().default(""), "Inline style that it gets, as CSS text."),
  "console.largeLogo.address": setting(
    optionalText,
    "Address of a picture in place of the product's mark above the sign-in.",
  ),
  "console.largeLogo.width": setting(integer(1, 2000).default(200), "Its width in pixels."),
  "console.largeLogo.height": setting(integer(1, 2000).default(200), "Its height in pixels."),
  "console.largeLogo.className": setting(z.string().default(""), "Classes that it gets."),
  "console.largeLogo.style": setting(z.string().default(""), "Inline style that it gets, as CSS text."),
  "console.brandColor": setting(color, "Brand colour of the console, as `#rrggbb`."),
  "console.backgroundDark": setting(color, "Ground of its dark theme, as `#rrggbb`."),
  "console.backgroundLight": setting(color, "Ground of its light theme, as `#rrggbb`."),
  "console.repositoryServer": setting(
    optionalText,
    "Address below which repositories are served, where the form of repositories should propose another than this server's.",
  ),
  "console.deprecatedAddressWarning": setting(
    flag.default(false),
    "Whether the console marks server addresses that have no technology in their path.",
  ),
  "console.notHtml": setting(
    list.default(["^doi"]),
    "Regular expressions of element names that descriptions of packages mean as text, such as `<doi:10.1000/182>`. They are tried on the first 24 characters of a name.",
  ),
  "console.submissionToken": setting(
    optionalText,
    "Bearer token that the console sends with uploads and verdicts in place of the person's own, for installations behind a gateway. Everybody who opens the console can read it.",
  ),
} as const satisfies Record<string, Setting<z.ZodType>>;

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
    super(`Wrong settings:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
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
    if (!(name in settingTable)) problems.push(`${name}: there is no such setting`);
  }
  for (const variable of Object.keys(environment)) {
    if (variable.startsWith("PACKHOUSE_") && !variables.has(variable) && !foreignVariables.has(variable))
      problems.push(`${variable}: there is no such setting`);
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
        throw new WrongSettings([`${variableOf(name)} (${name}): is needed for sign-in at a provider`]);
  const mail = mailProblems(settings);
  if (mail.length > 0) throw new WrongSettings(mail);
  if (!settings.publicUrl && !isLoopback(settings.host))
    throw new WrongSettings(["PACKHOUSE_PUBLIC_URL (publicUrl): is needed to listen on anything but loopback"]);
  return settings;
}

function mailProblems(settings: Settings): string[] {
  const problem = (name: SettingName, what: string) => `${variableOf(name)} (${name}): ${what}`;
  const { "mail.host": host, "mail.user": user, "mail.password": password } = settings;
  return [
    ...(host !== undefined && settings["mail.fromAddress"] === undefined
      ? [problem("mail.fromAddress", "is needed to send mail")]
      : []),
    ...(user !== undefined && password === undefined ? [problem("mail.password", "is needed with mail.user")] : []),
    ...(password !== undefined && user === undefined ? [problem("mail.user", "is needed with mail.password")] : []),
    ...(password !== undefined && settings["mail.security"] === "none"
      ? [problem("mail.security", "must not be none where a password is sent")]
      : []),
  ];
}

export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);

const unreadable: Record<string, string> = {
  ENOENT: "there is no file",
  ENOTDIR: "there is no file",
  EACCES: "this account may not read",
  EISDIR: "a folder is no file with settings:",
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
