import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import fastifyStatic from "@fastify/static";
import type { ConsoleConfiguration, Logo, OidcConfiguration } from "@packhouse/contract/console-configuration";
import { askBeforeSignOut } from "@packhouse/contract/sign-out-address";
import type { FastifyRequest } from "fastify";
import type { Settings } from "../../platform/settings/settings.ts";
import type { App } from "../application.ts";
import { acceptedTypes } from "../headers/accept.ts";
import { pathOf } from "../routed-address.ts";
import { type ConsoleAddress, consoleAddress } from "./addresses.ts";
import { preloadLinks, readManifest, sourcesOf } from "./preloads.ts";

function logoOf(settings: Settings, name: "smallLogo" | "largeLogo"): Logo | null {
  const address = settings[`console.${name}.address`];
  if (address === undefined) return null;
  return {
    address,
    width: settings[`console.${name}.width`],
    height: settings[`console.${name}.height`],
    className: settings[`console.${name}.className`],
    style: settings[`console.${name}.style`],
  };
}

function oidcOf(settings: Settings): OidcConfiguration | null {
  const { "auth.oidc.issuer": authority, "auth.oidc.clientId": clientId } = settings;
  if (!settings["auth.oidc.enabled"] || authority === undefined || clientId === undefined) return null;
  const secret = settings["auth.oidc.clientSecret"];
  return {
    authority,
    clientId,
    ...(secret === undefined ? {} : { clientSecret: secret }),
    scope: settings["auth.oidc.scope"],
    token: settings["auth.oidc.token"],
  };
}

/** Whether another site links or redirects to the address for signing out: browsers report it in a header that scripts cannot set. */
function leadsToSignOut({ url, headers }: FastifyRequest): boolean {
  const site = headers["sec-fetch-site"];
  return pathOf(url) === "/logout" && (site === "cross-site" || site === "same-site") && !asks(url);
}
const asks = (url: string): boolean => new URL(url, "http://console").searchParams.has(askBeforeSignOut);

/**
 * The built console and the configuration that it reads at startup. Without a build there is only the configuration.
 */
export async function consoleRoutes(
  { fastify }: App,
  { settings }: { settings: Settings },
  folder: string,
): Promise<void> {
  const configuration: ConsoleConfiguration = {
    serverAddress: settings.publicUrl?.replace(/\/$/, "") ?? "",
    urlPrefix: settings.publicUrl ? new URL(settings.publicUrl).pathname.replace(/\/?$/, "/") : "/",
    title: settings.title,
    simple: settings["auth.simple"],
    oidc: oidcOf(settings),
    developer: settings.developer,
    undoSeconds: settings.undoSeconds,
    smallLogo: logoOf(settings, "smallLogo"),
    largeLogo: logoOf(settings, "largeLogo"),
    brandColor: settings["console.brandColor"] ?? null,
    backgroundDark: settings["console.backgroundDark"] ?? null,
    backgroundLight: settings["console.backgroundLight"] ?? null,
    repositoryServer: settings["console.repositoryServer"] ?? "",
    deprecatedAddressWarning: settings["console.deprecatedAddressWarning"],
    notHtml: settings["console.notHtml"],
    submissionToken: settings["console.submissionToken"] ?? null,
  };
  fastify.get("/configuration.json", async (_request, reply) =>
    reply.header("cache-control", "no-cache").send(configuration),
  );

  if (!existsSync(join(folder, "index.html"))) return;
  await fastify.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    // Hundreds of files, and a route for each takes a tenth of a start.
    globIgnore: ["assets/**"],
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) =>
      // Names of assets carry a digest of their content; all others may change with the next build.
      reply.header("cache-control", path.includes("/assets/") ? "public, max-age=31536000, immutable" : "no-cache"),
  });
  const assets = new Set(readdirSync(join(folder, "assets")));
  fastify.get<{ Params: { name: string } }>("/assets/:name", (request, reply) => {
    const { name } = request.params;
    return assets.has(name) ? reply.sendFile(`assets/${name}`) : reply.callNotFound();
  });
  // One build serves every path prefix: its addresses are relative to this element.
  const read = (name: string) =>
    readFileSync(join(folder, name), "utf8").replace('<base href="/" />', `<base href="${configuration.urlPrefix}" />`);
  const console = read("index.html");
  const signIn = read("login.html");
  const manifest = readManifest(folder);
  /** The page by what its first screen needs, uncompressed and compressed. */
  const pages = new Map<string, { plain: Buffer; brotli: Buffer }>();
  const pageFor = (address: string, kind: ConsoleAddress) => {
    const sources = sourcesOf(address);
    const page = kind === "sign-in" ? signIn : console;
    const key = [page === signIn, ...sources].join();
    const known = pages.get(key);
    if (known) return known;
    const plain = Buffer.from(page.replace("</head>", `${preloadLinks(manifest, sources)}</head>`));
    const made = { plain, brotli: brotliCompressSync(plain) };
    pages.set(key, made);
    return made;
  };
  fastify.get("/*", async (request, reply) => {
    const kind = consoleAddress(pathOf(request.url));
    if (kind === "elsewhere") return reply.callNotFound();
    reply.header("cache-control", "no-cache").header("vary", "accept, accept-encoding, sec-fetch-site");
    if (leadsToSignOut(request)) return reply.redirect(`${configuration.urlPrefix}logout?${askBeforeSignOut}`);
    if (kind === "unknown") {
      // Clients such as those that look for `/pypi/NAME/json` must not take a page for what they asked for.
      if (!acceptedTypes(request.headers.accept).includes("text/html")) return reply.callNotFound();
      reply.code(404);
    }
    const { plain, brotli } = pageFor(request.url, kind);
    reply.type("text/html; charset=utf-8");
    return /\bbr\b/.test(request.headers["accept-encoding"] ?? "")
      ? reply.header("content-encoding", "br").send(brotli)
      : reply.send(plain);
  });
}
