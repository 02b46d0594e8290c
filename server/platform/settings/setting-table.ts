import { supportedLanguages } from "@packhouse/contract/user-settings";
import { theme } from "@packhouse/contract/users";
import { z } from "zod";
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
  host: setting(z.string().default("127.0.0.1"), "Address to listen on. Anything but loopback requires `publicUrl`."),
  port: setting(integer(0, 65_535).default(8017), "Port to listen on."),
  publicUrl: setting(
    z.url({ protocol: /^https?$/ }).optional(),
    "Scheme, host and path prefix under which users reach the server, such as `https://packages.example.org/packhouse`. Without it, only loopback is served.",
  ),
  dataDir: setting(
    z.string().min(1).default("./data"),
    "Folder for the embedded database, the local storage and incoming uploads.",
  ),
  databaseUrl: setting(
    z
      .string()
      .refine((text) => URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol), {
        error: "is not of the form postgres://user:password@host:port/database?sslmode=verify-full",
      })
      .optional(),
    "Database on a PostgreSQL server (15 or later), `postgres://user:password@host:port/database?sslmode=verify-full`. Without it, an embedded one is started.",
  ),
  "database.poolSize": setting(integer(2, 1000).default(10), "Database connections of one server process."),
  "database.waitMs": setting(
    integer(100).default(5000),
    "How long a request waits for a database connection, in milliseconds, before it is refused with 503.",
  ),
  processes: setting(
    z.union([z.literal("auto"), integer(1, 32)]).default(1),
    "Number of server processes that share the port on this machine; `auto`: one for each core, at most eight. One of them leads: it runs the jobs. Each opens its own `database.poolSize` connections, and has its metrics on a port of its own: `metrics.port` and those that follow.",
  ),
  "shutdown.delayMs": setting(
    integer(0).default(0),
    "How long a stopping server reports that it is not ready but still accepts connections, in milliseconds: as long as a load balancer needs to notice.",
  ),
  "shutdown.timeoutSeconds": setting(
    integer(1).default(30),
    "How long running requests and jobs may then take to finish, in seconds.",
  ),
  "overload.eventLoopDelayMs": setting(
    integer(0).default(1000),
    "Mean delay of the event loop within a second, in milliseconds, above which requests are refused with 503: uploads above half of it, reads of indexes and packages only above twice as much. 0: never.",
  ),
  "overload.memoryMegabytes": setting(
    integer(0).default(0),
    "Resident memory of the process, in MB, above which requests are refused with 503, and uploads above nine tenths of it. 0: never.",
  ),
  storageUrl: setting(
    s3Address.optional(),
    "Bucket on an S3-compatible server for package files, `s3://bucket/prefix?endpoint=…&region=…&pathStyle=true`; the credentials come from `AWS_ACCESS_KEY_ID` and the other usual variables. Without it, the files are stored in the data folder.",
  ),
  logLevel: setting(
    z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
    "Log level.",
  ),
  "log.requests": setting(
    flag.default(false),
    "Whether each request is logged with its route, status, duration, size, trace and user.",
  ),
  "metrics.port": setting(
    integer(1, 65_535).optional(),
    "Port that serves metrics for Prometheus without authentication, for a network that only Prometheus can reach. Administrators can always read them at `/actuator/prometheus`.",
  ),
  "metrics.host": setting(z.string().min(1).default("127.0.0.1"), "Address on which the metrics port listens."),
  "metrics.packages": setting(
    integer(0, 100_000).default(1000),
    "How many packages have their own download metric, in the order in which they are downloaded; the others are counted together. 0: all packages are counted together.",
  ),
  "telemetry.endpoint": setting(
    z.url({ protocol: /^https?$/ }).optional(),
    "OpenTelemetry collector that receives traces with OTLP over HTTP, such as `http://127.0.0.1:4318`; `/v1/traces` is appended.",
  ),
  trustedProxies: setting(list.default([]), "Addresses of proxies whose `X-Forwarded-For` is trusted."),
  allowedOrigins: setting(origins.default([]), "Origins whose pages may call the API from a browser (CORS)."),
  "admin.login": setting(
    z.string().min(1).default("admin"),
    "Login of the first administrator, created if there is none.",
  ),
  "admin.password": setting(
    optionalText,
    "Password of the first administrator; generated and printed once unless it is set.",
  ),
  people: setting(
    people.default([]),
    "Users who sign in with a password: login, name, email, role, password or passwordHash.",
  ),
  readRights: setting(
    readRights.default([]),
    "Read rights: repositories that not all signed-in users can read, each with the role (this one and higher) or the groups of the identity provider that can read it. Its maintainers and administrators always can.",
  ),
  "auth.simple": setting(flag.default(true), "Whether users can sign in with username and password."),
  "auth.lookalikeLogins": setting(
    flag.default(false),
    "Whether new accounts can have logins that are easily confused with existing ones, such as `adm1n` with `admin`.",
  ),
  "auth.session.minutes": setting(
    integer(1, 43_200).default(480),
    "Maximum duration of a password session, in minutes, even if it is in use.",
  ),
  "auth.session.idleMinutes": setting(
    integer(0, 43_200).default(120),
    "How long a password session lasts without being used, in minutes. 0: as long as `auth.session.minutes` allows.",
  ),
  "auth.password.minLength": setting(
    integer(8, 128).default(8),
    "Minimum number of characters of new passwords. Common passwords are refused regardless of their length.",
  ),
  "auth.password.linkHours": setting(
    integer(1, 720).default(24),
    "How long a one-time link to set a password is valid, in hours.",
  ),
  "auth.session.secret": setting(
    z.string().min(32).optional(),
    "Key that signs sessions; unless it is set, one is generated and kept in the database.",
  ),
  "auth.session.previousSecret": setting(
    z.string().min(32).optional(),
    "The key before `auth.session.secret`, for one lifetime after a change, so that users stay signed in.",
  ),
  "auth.secondFactor.requiredFor": setting(
    roles.default([]),
    "Roles whose users need a second factor to sign in with a password, such as `admin, repositorymaintainer`. Users without one add one at their next sign-in. Access tokens and the identity provider are not affected.",
  ),
  "auth.oidc.enabled": setting(flag.default(false), "Whether users can sign in through an OpenID Connect provider."),
  "auth.oidc.issuer": setting(
    z.url({ protocol: /^https?$/ }).optional(),
    "Issuer of the provider, exactly as in its discovery document.",
  ),
  "auth.oidc.clientId": setting(
    optionalText,
    "Client ID of the console at the provider: a public client with PKCE and without a secret.",
  ),
  "auth.oidc.clientSecret": setting(
    optionalText,
    "Client secret, only for providers that require one even for public clients, such as Google. Everyone who opens the console can read it.",
  ),
  "auth.oidc.requiredClaims": setting(
    claimValues.default([]),
    "Claims that tokens must have to be accepted, such as `hd=example.org`; a claim with several values must include this one.",
  ),
  "auth.oidc.audience": setting(optionalText, "Audience that tokens must have (default: the client ID)."),
  "auth.oidc.scope": setting(z.string().min(1).default("openid profile email"), "Scopes that the console requests."),
  "auth.oidc.token": setting(
    z.enum(["access", "id"]).default("access"),
    "Which of the provider's tokens the console sends to the API: `id` for providers whose access tokens are not JWTs.",
  ),
  "auth.oidc.origins": setting(
    origins.default([]),
    "Origins of the provider that the browser must reach in addition to the issuer's, such as that of the token endpoint.",
  ),
  "auth.oidc.loginClaim": setting(
    z.string().min(1).default("preferred_username"),
    "Claim with the login; tokens without it are refused.",
  ),
  "auth.oidc.nameClaim": setting(z.string().min(1).default("name"), "Claim with the name."),
  "auth.oidc.emailClaim": setting(z.string().min(1).default("email"), "Claim with the email address."),
  "auth.oidc.link": setting(
    z.enum(["none", "verified-email", "login"]).default("none"),
    "Whether a user from the provider takes over, once, the local account with the same verified email address or login.",
  ),
  "auth.oidc.admins": setting(
    list.default([]),
    "Users from the provider who are always administrators: `issuer#subject`, `#subject`, or the login of the account. A subject alone works if it contains a digit and no account has it as its login.",
  ),
  "auth.oidc.groupsClaim": setting(
    optionalText,
    "Claim with the groups that determine roles; a path such as `realm_access.roles` selects a nested claim.",
  ),
  "auth.oidc.groupRoles": setting(
    groupRoles.default([]),
    "Which group grants which role, such as `packhouse-admins=admin, approvers=repositorymaintainer`; the highest role applies; without a group, it is `user`. Empty: roles are assigned in the console.",
  ),
  "auth.oidc.groupRolesDryRun": setting(
    flag.default(false),
    "Whether the roles that the groups would grant are only logged.",
  ),
  "securityEvents.days": setting(
    integer(1, 36_500).default(365),
    "Days for which security events are kept: sign-ins, changes of passwords and accounts, uses of tokens. Events about packages and repositories are kept permanently.",
  ),
  "securityEvents.addressDays": setting(
    integer(1, 36_500).default(90),
    "Days after which client addresses and unknown logins are removed from security events.",
  ),
  "securityEvents.downloads": setting(
    flag.default(false),
    "Whether downloads from repositories that require authentication or have read rights are security events: one per user, file and hour.",
  ),
  "deleting.packages": setting(flag.default(true), "Whether packages can be deleted."),
  "deleting.repositories": setting(flag.default(true), "Whether repositories can be deleted."),
  "replacing.packages": setting(
    flag.default(true),
    "Whether an upload can replace a package with the same name and version.",
  ),
  generateManuals: setting(
    flag.default(true),
    "Whether a PDF manual is built for an R package unless the upload specifies it.",
  ),
  "accessTokens.lifetimeDefault": setting(
    integer(1, 365).default(30),
    "Default lifetime of new access tokens, in days.",
  ),
  "accessTokens.lifetimeMaximum": setting(
    integer(1, 365).default(365),
    "Maximum lifetime of new access tokens, in days.",
  ),
  "accessTokens.lifetimeConfigurable": setting(
    flag.default(true),
    "Whether users can choose the lifetime of their access tokens.",
  ),
  "defaults.language": setting(
    z.enum(supportedLanguages).default("en-US"),
    "Language of users who have not chosen one.",
  ),
  "defaults.theme": setting(theme.default("dark"), "Theme of users who have not chosen one."),
  "defaults.pageSize": setting(integer(1, 1000).default(10), "Rows per page for users who have not chosen a number."),
  "upload.maxBytes": setting(integer(1).default(1000 * mebibyte), "Largest upload, in bytes."),
  "upload.maxUnpackedBytes": setting(
    integer(1).default(2048 * mebibyte),
    "Largest size of an unpacked archive, in bytes.",
  ),
  "upload.maxRatio": setting(
    integer(1).default(200),
    "How many times its own size an archive may have when unpacked, after the first 64 MiB.",
  ),
  "workers.count": setting(
    integer(1, 64).optional(),
    "How many uploaded archives and indexes are read at once, each in its own process (default: the number of cores, at most 8).",
  ),
  "workers.seconds": setting(
    integer(1).default(20),
    "How long reading an archive or index may take, in seconds, plus one for each 20 MB of the file. Files that take longer are refused.",
  ),
  "workers.heapMegabytes": setting(
    integer(64).default(512),
    "How much memory the values read from an archive or index may take, in MB. Files that take more are refused.",
  ),
  "workers.queue": setting(
    integer(1).default(100),
    "How many archives and indexes can wait to be read; further requests are refused with 503.",
  ),
  "upload.parallel": setting(
    integer(1, 1000).default(16),
    "How many uploads one server process receives at once; a single user can use at most half of them.",
  ),
  "upload.queue": setting(
    integer(0, 100_000).default(1000),
    "How many further uploads are queued, for up to a minute; any more are refused with 503.",
  ),
  "limits.waiting.perUser": setting(
    integer(0).default(2000),
    "How many submissions of one user can wait for a decision. 0: no limit.",
  ),
  "limits.waiting.perRepository": setting(
    integer(0).default(10_000),
    "How many submissions can wait in one repository. 0: no limit.",
  ),
  "limits.waiting.bytesPerUser": setting(
    integer(0).default(20 * 1024 * mebibyte),
    "Total size of one user's waiting submissions, with the files that they have replaced, in bytes. 0: no limit.",
  ),
  "limits.uploads.perUser": setting(
    integer(0).default(1200),
    "How many files one user can upload per minute, counted by each server process. 0: no limit.",
  ),
  "limits.uploads.perAddress": setting(
    integer(0).default(4800),
    "How many files can be uploaded from one client address per minute. 0: no limit.",
  ),
  "limits.calls.perUser": setting(
    integer(0).default(12_000),
    "How many API calls one user can make per minute, counted by each server process. Installing packages is not limited. 0: no limit.",
  ),
  "limits.calls.perAddress": setting(
    integer(0).default(48_000),
    "How many API calls can come from one client address per minute; attempts to sign in and calls without valid credentials count ten times. Behind a proxy, list the proxy in `trustedProxies`; otherwise, all clients share one address. 0: no limit.",
  ),
  "limits.accessTokens.perUser": setting(
    integer(0).default(100),
    "How many active access tokens one user can have. 0: no limit.",
  ),
  "storage.keepUnnamedHours": setting(
    integer(0).default(24),
    "How long bytes are kept that no package or index references any longer, in hours.",
  ),
  "storage.redirect": setting(
    flag.default(false),
    "Whether the bucket of `storageUrl` sends package files itself: after the usual checks, clients are redirected to an address there that is valid for a minute. They must be able to reach its endpoint.",
  ),
  "maintainers.several": setting(flag.default(false), "Whether a package can have several package maintainers."),
  "publication.waitMs": setting(
    integer(0, 60_000).default(5000),
    "How long a change waits for its index to be rendered before the server responds, in milliseconds.",
  ),
  "publication.targets": setting(
    origins.default([]),
    "Origins of repository servers, such as `https://store.example.org`. Repositories with such a server address are pushed there.",
  ),
  "publication.exportFolder": setting(
    optionalText,
    "Folder to which repositories that anyone can read are written as plain files, for any web server.",
  ),
  "declarative.enabled": setting(
    flag.default(false),
    "Whether the files of `declarative.paths` alone define the repositories: the API cannot create, change, publish or delete them, and repositories that are not declared are unpublished and marked as deleted at startup.",
  ),
  "declarative.paths": setting(
    list.default([]),
    "Folders whose files `…repository.yaml` declare one repository each, with its mirrors.",
  ),
  "mirrors.allowPrivateAddresses": setting(
    flag.default(false),
    "Whether mirrors can have private, loopback and link-local addresses.",
  ),
  "mirrors.reservedNames": setting(
    list.default([]),
    "Reserved names: names of packages, or patterns such as `acme*`, that no mirror adds to any repository.",
  ),
  "mirrors.parallel": setting(integer(1, 64).default(4), "How many files are downloaded from mirrors at once."),
  "mirrors.requestsPerSecond": setting(
    integer(1, 1000).default(10),
    "Maximum number of requests per second to each host of a mirror.",
  ),
  "mail.host": setting(
    optionalText,
    "Mail server (SMTP) through which users get mail about what concerns them ([docs/mail.md](mail.md)). Without it, no mail is sent.",
  ),
  "mail.port": setting(
    integer(1, 65_535).optional(),
    "Port of the mail server (default: 465 with `tls`, 587 with `starttls`, 25 with `none`).",
  ),
  "mail.security": setting(
    z.enum(["starttls", "tls", "none"]).default("starttls"),
    "How the connection is encrypted: `tls` from its start, `starttls` before anything is sent; or not at all, `none`, which allows no password. Certificates are verified; `NODE_EXTRA_CA_CERTS` adds authorities.",
  ),
  "mail.user": setting(optionalText, "User at the mail server, if it requires one."),
  "mail.password": setting(optionalText, "Password of `mail.user`."),
  "mail.fromAddress": setting(mailAddress.optional(), "Address that mail is sent from; required with `mail.host`."),
  "mail.fromName": setting(optionalText, "Name that mail is sent from (default: `title`)."),
  "mail.collectSeconds": setting(
    integer(0, 3600).default(60),
    "How many seconds must pass without further events before a user gets one mail about all of them. After ten times as long, the mail is sent anyway.",
  ),
  "mail.dailyHour": setting(
    integer(0, 23).default(6),
    "Hour (UTC) at which users who chose one mail a day receive it.",
  ),
  "r.versions": setting(
    list.default(["3.6", "4.0", "4.1", "4.2", "4.3", "4.4", "4.5"]),
    "R versions for which binaries are accepted.",
  ),
  "r.architectures": setting(list.default(["x86_64", "x86"]), "Architectures for which R binaries are accepted."),
  "r.distributions": setting(
    list.default(["centos7", "centos8", "rhel9", "opensuse155", "focal", "jammy", "noble", "bullseye", "bookworm"]),
    "Distributions for which R binaries are accepted.",
  ),
  undoSeconds: setting(
    integer(0, 60).default(5),
    "Seconds for which the console delays actions that cannot be undone; 0: it asks for confirmation instead.",
  ),
  title: setting(z.string().min(1).default("Packhouse"), "Name of the product in the console."),
  developer: setting(flag.default(false), "Developer mode of the console."),
  "console.smallLogo.address": setting(
    optionalText,
    "Address of an image that replaces the logo in the top bar of the console.",
  ),
  "console.smallLogo.width": setting(integer(1, 2000).default(40), "Width of the image in pixels."),
  "console.smallLogo.height": setting(integer(1, 2000).default(40), "Height of the image in pixels."),
  "console.smallLogo.className": setting(z.string().default(""), "CSS classes of the image."),
  "console.smallLogo.style": setting(z.string().default(""), "Inline style of the image, as CSS."),
  "console.largeLogo.address": setting(optionalText, "Address of an image that replaces the logo on the sign-in page."),
  "console.largeLogo.width": setting(integer(1, 2000).default(200), "Width of the image in pixels."),
  "console.largeLogo.height": setting(integer(1, 2000).default(200), "Height of the image in pixels."),
  "console.largeLogo.className": setting(z.string().default(""), "CSS classes of the image."),
  "console.largeLogo.style": setting(z.string().default(""), "Inline style of the image, as CSS."),
  "console.brandColor": setting(color, "Brand color of the console, as `#rrggbb`."),
  "console.backgroundDark": setting(color, "Background color of the dark theme, as `#rrggbb`."),
  "console.backgroundLight": setting(color, "Background color of the light theme, as `#rrggbb`."),
  "console.repositoryServer": setting(
    optionalText,
    "Base address of repositories that the repository form proposes, if it differs from that of this server.",
  ),
  "console.deprecatedAddressWarning": setting(
    flag.default(false),
    "Whether the console flags server addresses without a technology in their path.",
  ),
  "console.notHtml": setting(
    list.default(["^doi"]),
    "Regular expressions for element names that are plain text in package descriptions, such as `<doi:10.1000/182>`. They are matched against the first 24 characters of a name.",
  ),
  "console.submissionToken": setting(
    optionalText,
    "Bearer token that the console sends with uploads and decisions instead of the user's own, for installations behind a gateway. Everyone who opens the console can read it.",
  ),
} as const satisfies Record<string, Setting<z.ZodType>>;
