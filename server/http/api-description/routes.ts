import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { openApiDocument } from "@packhouse/contract/openapi/openapi";
import { productVersion } from "../../platform/product-version.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { publicAddress } from "../addresses.ts";
import type { App } from "../application.ts";

const own = join(import.meta.dirname, "viewer");
const swaggerUi = join(dirname(createRequire(import.meta.url).resolve("@fastify/swagger-ui")), "static");

const viewerFiles = {
  "/docs/api.html": [own, "api.html", "text/html; charset=utf-8"],
  "/docs/viewer/api.js": [own, "api.js", "text/javascript; charset=utf-8"],
  "/docs/viewer/swagger-ui.css": [swaggerUi, "swagger-ui.css", "text/css; charset=utf-8"],
  "/docs/viewer/swagger-ui-bundle.js": [swaggerUi, "swagger-ui-bundle.js", "text/javascript; charset=utf-8"],
} as const;

/** The API description for programs, and a page that shows it to people. Neither requires signing in. */
export async function apiDescriptionRoutes({ fastify }: App, { settings }: { settings: Settings }): Promise<void> {
  fastify.get("/v2/api-docs", async (request, reply) =>
    reply.header("cache-control", "no-cache").send(openApiDocument(productVersion, publicAddress(settings, request))),
  );
  for (const [address, [folder, name, type]] of Object.entries(viewerFiles))
    fastify.get(address, async (_request, reply) =>
      reply
        .header("cache-control", "no-cache")
        .type(type)
        .send(await readFile(join(folder, name))),
    );
}
