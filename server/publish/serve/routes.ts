import { formatOf } from "@packhouse/formats/format";
import { chooseSimpleForm, simpleContentTypes } from "@packhouse/formats/python/simple-index";
import type { FastifyReply, FastifyRequest } from "fastify";
import { publicPrefix } from "../../http/addresses.ts";
import type { App } from "../../http/application.ts";
import { acceptedTypes, acceptsGzip } from "../../http/headers/accept.ts";
import { hasReadRight, mayReadRepository } from "../../identity/read-rights.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/database.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import type { ObjectStorage } from "../../platform/storage/storage.ts";
import type { Downloads } from "../downloads/count-downloads.ts";
import type { IndexFile } from "../records/index-layout.ts";
import { namesSnapshot, serialOf } from "../records/snapshots.ts";
import { graceMs, type PublishedFile, type PublishedRepository, publicationStore } from "../records/store.ts";
import { cacheable, type Download, type SentRepository, varying } from "./download.ts";
import { findPreview, previewedSubmission } from "./find-preview.ts";
import type { Published } from "./index-reader.ts";
import { addressOfFolder, rPaths } from "./linux-binaries.ts";
import { methodsAt } from "./methods.ts";
import { wantsPage, wantsPageInsteadOfIndex } from "./repository-page/wants-page.ts";
import { sendRepositoryPage } from "./send-repository-page.ts";
import { type Sendable, sendBytes } from "./serve-bytes.ts";

/** False if nothing was sent, because there is nothing at this address in this state of the repository. */
type Served = Promise<boolean>;

interface ServeDeps {
  db: Db;
  storage: ObjectStorage;
  settings: Settings;
  downloads: Downloads;
  clock: Clock;
}

/** `/repo/{name}/…`: what clients download. Outside of the API: no envelope, texts and bytes only. */
export function publicationRoutes(app: App, deps: ServeDeps, published: Published): void {
  const { fastify, authenticate } = app;
  const serve = { R: rDownloads(deps, published), Python: pythonDownloads(deps, published) } as const;

  fastify.route({
    method: ["OPTIONS", "POST", "PUT", "PATCH", "DELETE"],
    url: "/repo/*",
    config: { securityHeaders: false },
    // Before the body is read, because its type does not matter.
    onRequest: async (request, reply) => {
      reply.header("x-content-type-options", "nosniff").header("allow", methodsAt(pathBelow(request)));
      return request.method === "OPTIONS" ? reply.code(204).send() : text(reply, 405, "Method not allowed");
    },
    handler: async (_request, reply) => reply,
  });

  app.answerReadily("/repo/*", published.answers.find);
  fastify.route({
    method: ["GET", "HEAD"],
    url: "/repo/*",
    // Nothing here is shown inside the console; the security headers are constant.
    config: { securityHeaders: false },
    handler: async (request, reply) => {
      reply
        .header("x-content-type-options", "nosniff")
        .header("content-security-policy", "default-src 'none'; sandbox");
      const [, , name = "", ...segments] = decodedPath(request.url) ?? [];
      const found = await published.repositories.byName(name);
      if (!found) return missing(reply);
      if (await answered(found, segments, request, reply)) return reply;
      // Another replica may have changed the repository, of which this one has not been notified yet. Clients that are
      // sent away must not get the older index again, which may name what is missing.
      await published.repositories.refresh(found.id);
      const now = await published.repositories.byName(name);
      return now && now !== found && (await answered(now, segments, request, reply)) ? reply : missing(reply);
    },
  });

  /** Answers from one state of the repository. */
  async function answered(
    found: PublishedRepository,
    segments: readonly string[],
    request: FastifyRequest,
    reply: FastifyReply,
  ): Served {
    const [first, ...rest] = segments;
    const submission = previewedSubmission(first);
    if (first !== undefined && submission !== undefined) {
      reply.header("vary", "Authorization").header("cache-control", "private, no-store");
      const caller = await authenticate({ header: request.headers.authorization, address: request.ip });
      request.actor = caller ?? null;
      if (!caller) return sent(unauthorized(reply));
      const preview = await findPreview({ db: deps.db, index: published.index }, caller, found, submission);
      if (preview === "forbidden") return sent(text(reply, 403, "You are not allowed to install this submission"));
      if (!preview) return false;
      const repository = { ...found, requiresAuthentication: true, isPreview: true } as const;
      return serve[found.technology]({ repository, preview, snapshot: [first], segments: rest, request, reply });
    }
    const repository = hasReadRight(deps.settings, found.name) ? { ...found, requiresAuthentication: true } : found;
    if (repository.requiresAuthentication) {
      reply.header("vary", "Authorization").header("cache-control", "private, no-cache");
      const caller = await authenticate({ header: request.headers.authorization, address: request.ip });
      request.actor = caller ?? null;
      if (!caller?.byAccessToken) return sent(unauthorized(reply));
      if (!mayReadRepository(caller, repository))
        return sent(text(reply, 403, "You are not allowed to read this repository"));
    }
    if (!namesSnapshot(first)) return serve[found.technology]({ repository, snapshot: [], segments, request, reply });
    const serial = await serialOf(deps.db, found.id, first, deps.clock());
    if (serial === undefined) return false;
    const then = { ...repository, serial };
    return serve[found.technology]({ repository: then, snapshot: [first], segments: rest, request, reply });
  }
}

async function sent(reply: Promise<FastifyReply>): Served {
  await reply; // a reply is a thenable that resolves to nothing
  return true;
}

/** CRAN's layout. */
function rDownloads(deps: ServeDeps, published: Published) {
  return async (download: Download): Served => {
    const { repository, preview, segments, request, reply } = download;
    const { index } = preview ?? published;
    // Clients install from a preview; the desk shows it to people.
    const address = preview ? undefined : addressOfFolder(segments);
    if (address) {
      reply.header("vary", varying(repository, ["Accept"]));
      const isServed = wantsPage(request) && (await index.rFolders(repository)).length > 0;
      return isServed && sent(sendRepositoryPage(deps.settings, download, address));
    }
    const { paths, vary } = rPaths(segments, request.headers["user-agent"]);
    for (const path of paths) {
      const indexFile = await index.rFile(repository, path);
      if (indexFile)
        return sendIndex(
          published,
          download,
          indexSendable(index, repository, indexFile, { type: indexType(path), vary }),
        );
      const file = await findFile(deps, download, path);
      if (file) {
        const [name = ""] = (path.split("/").at(-1) ?? "").split("_");
        return sent(
          sendFile(deps, download, file, {
            package: formatOf("R").normalizeName(name),
            type: fileType(path),
            vary,
          }),
        );
      }
    }
    reply.header("vary", varying(repository, vary));
    return false;
  };
}

const indexType = (path: string): string =>
  path.endsWith(".gz")
    ? "application/gzip"
    : path.endsWith(".rds")
      ? "application/octet-stream"
      : "text/plain; charset=utf-8";

/** The simple repository API, at the repository's address and below `simple/`. */
function pythonDownloads(deps: ServeDeps, published: Published) {
  return async (download: Download): Served => {
    const { repository, preview, segments } = download;
    const { index } = preview ?? published;
    // A file of a project that is itself called `simple` looks the same, but its link goes on with `@blob`.
    const base = segments[0] === "simple" && segments[1] !== "@blob" ? ["simple"] : [];
    const [project, ...rest] = segments.slice(base.length);
    if (project === undefined) return sent(movedTo(deps, download, [...base, ""]));
    if (project === "" && rest.length === 0) {
      if (base.length === 0 && !preview && wantsPageInsteadOfIndex(download.request)) {
        const isServed = await index.pythonPage(repository, undefined, "html", "identity");
        return isServed !== undefined && sent(sendRepositoryPage(deps.settings, download, []));
      }
      // Installers request that page, but no list.
      const sameName =
        base[0] && (await index.pythonPage(repository, base[0], "html", "identity")) ? base[0] : undefined;
      return sendPage(download, sameName);
    }
    const normalized = formatOf("Python").normalizeName(project);
    if (rest.length === 0 || normalized !== project)
      return sent(movedTo(deps, download, [...base, normalized, ...(rest.length === 0 ? [""] : rest)]));
    if (rest.length === 1 && rest[0] === "") return sendPage(download, project);

    const [blob, digest = "", name = ""] = rest;
    if (rest.length === 3 && blob === "@blob" && /^[0-9a-f]{64}$/.test(digest))
      return sendProjectFile(`${project}/${name}`, digest);
    return rest.length === 1 ? sendProjectFile(`${project}/${blob}`) : false;

    async function sendProjectFile(path: string, digest?: string): Served {
      const metadata = path.endsWith(".metadata");
      const file = await findFile(deps, download, metadata ? path.slice(0, -".metadata".length) : path, digest);
      if (!file) return false;
      // Only addresses with a digest are immutable.
      const cacheControl = digest ? "max-age=31536000, immutable" : "no-cache";
      return sent(
        metadata
          ? sendMetadata(download, file, cacheControl)
          : sendFile(deps, download, file, { package: normalized, type: fileType(path), cacheControl }),
      );
    }
  };

  async function sendPage(download: Download, project: string | undefined): Served {
    const { repository, preview, request, reply } = download;
    const { index } = preview ?? published;
    const vary = ["Accept", "Accept-Encoding"];
    const query = request.url.split("?")[1];
    const form = chooseSimpleForm(
      acceptedTypes(request.headers.accept),
      query && new URLSearchParams(query).get("format"),
    );
    if (!form) return sent(text(reply.header("vary", varying(repository, vary)), 406, "Not acceptable"));
    const coding = acceptsGzip(request.headers["accept-encoding"]) ? "gzip" : "identity";
    const page = await index.pythonPage(repository, project, form === "json" ? "json" : "html", coding);
    if (!page) return false;
    const type = form === "json" ? simpleContentTypes.json : `${simpleContentTypes[form]}; charset=utf-8`;
    const sendable = indexSendable(index, repository, page, { type, vary });
    return sendIndex(published, download, { ...sendable, coding: coding === "gzip" ? coding : undefined });
  }

  async function sendMetadata(
    { repository, preview, request, reply }: Download,
    { metadataDigest, purged }: PublishedFile,
    cacheControl: string,
  ): Promise<FastifyReply> {
    const { index } = preview ?? published;
    const bytes = metadataDigest === null || purged ? undefined : await index.block(metadataDigest);
    if (metadataDigest === null || !bytes) return purged ? gone(reply) : missing(reply);
    return sendBytes(request, reply, {
      digest: metadataDigest,
      size: bytes.length,
      type: "text/plain; charset=utf-8",
      cacheControl: cacheable(repository, cacheControl),
      vary: varying(repository, []),
      ranges: false,
      read: () => bytes,
    });
  }
}

async function sendIndex({ answers }: Published, download: Download, sendable: Sendable): Served {
  await sendBytes(download.request, download.reply, sendable);
  answers.remember(download, sendable);
  return true;
}

async function findFile(
  deps: ServeDeps,
  { repository, preview, snapshot }: Download,
  path: string,
  digest?: string,
): Promise<PublishedFile | undefined> {
  const store = publicationStore(deps.db);
  if (preview) return preview.file(path, digest) ?? store.pastFile(repository, path, digest);
  if (snapshot.length > 0) return store.pastFile(repository, path, digest);
  return store.liveFile(repository, path, new Date(deps.clock().getTime() - graceMs), digest);
}

interface SentFile {
  /** Normalized name of the package. */
  package: string;
  type: string;
  cacheControl?: string;
  vary?: readonly string[];
}

function sendFile(
  { storage, downloads, settings }: ServeDeps,
  { repository, request, reply }: Download,
  { digest, size, purged }: PublishedFile,
  { package: name, type, cacheControl = "no-cache", vary = [] }: SentFile,
): Promise<FastifyReply> {
  if (purged) return gone(reply);
  const { temporaryAddress } = storage;
  if (!repository.isPreview)
    downloads.countWhenSent(request, reply, {
      repository,
      open: !repository.requiresAuthentication,
      package: name,
      digest,
    });
  return sendBytes(request, reply, {
    digest,
    size,
    type,
    cacheControl: cacheable(repository, cacheControl),
    vary: varying(repository, vary),
    ranges: true,
    elsewhere: temporaryAddress && settings["storage.redirect"] ? () => temporaryAddress(digest, type) : undefined,
    read: (range) => storage.readToSend(digest, range, size),
  });
}

function indexSendable(
  index: Pick<Published["index"], "read">,
  repository: SentRepository,
  file: IndexFile,
  { type, vary }: Pick<Sendable, "type" | "vary">,
): Sendable {
  return {
    digest: file.digest,
    size: file.size,
    type,
    cacheControl: cacheable(repository, "no-cache"),
    vary: varying(repository, vary),
    ranges: false,
    read: () => index.read(file),
  };
}

const fileType = (path: string): string =>
  /\.(whl|zip)$/.test(path)
    ? "application/zip"
    : /\.(tar\.gz|tgz)$/.test(path)
      ? "application/gzip"
      : "application/octet-stream";

/** The path below the repository's address. */
const pathBelow = ({ url }: FastifyRequest): string => (url.split("?", 1)[0] ?? "").split("/").slice(3).join("/");

/** The segments of the path, decoded separately: a `%2F` in a name adds no segment. */
function decodedPath(url: string): string[] | undefined {
  try {
    const path = (url.split("?")[0] ?? "").split("/");
    if (!url.includes("%")) return path;
    const decoded = path.map(decodeURIComponent);
    return decoded.some((part) => part.includes("\0")) ? undefined : decoded; // which the database could not compare
  } catch {
    return undefined; // a stray `%`
  }
}

/** Clients cache such a redirect; the query is kept. */
function movedTo(
  { settings }: ServeDeps,
  { request, reply, repository, snapshot }: Download,
  segments: readonly string[],
): Promise<FastifyReply> {
  const path = ["repo", repository.name, ...snapshot, ...segments].map((segment) =>
    encodeURIComponent(segment).replace(/^%40/, "@"),
  );
  const query = request.url.includes("?") ? request.url.slice(request.url.indexOf("?")) : "";
  return text(reply.header("location", `${publicPrefix(settings)}/${path.join("/")}${query}`), 301, "Moved");
}

const missing = (reply: FastifyReply) => text(reply, 404, "Not found");
const gone = (reply: FastifyReply) => text(reply, 410, "Permanently removed");
function unauthorized(reply: FastifyReply): Promise<FastifyReply> {
  const message = "This repository requires a username and an access token";
  reply.raw.statusMessage = message; // which pip shows, unlike the text
  return text(reply.header("www-authenticate", 'Basic realm="Packhouse"'), 401, message);
}

async function text(reply: FastifyReply, code: number, message: string): Promise<FastifyReply> {
  return reply.code(code).type("text/plain; charset=utf-8").send(`${message}\n`);
}
