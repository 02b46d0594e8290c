import type { PublicConfiguration, RConfiguration } from "@packhouse/contract/configuration";
import { serverAddressCheck } from "@packhouse/contract/repositories";
import { supportedLanguages } from "@packhouse/contract/user-settings";
import { formatOf } from "@packhouse/formats/format";
import { ok } from "../../http/answer.ts";
import type { App } from "../../http/application.ts";
import { productVersion } from "../../platform/product-version.ts";
import type { Deps } from "../deps.ts";
import { checkServerAddress } from "../repositories/check-server-address.ts";

/** What the settings mean for clients. */
export function configurationRoutes(app: App, { settings, manuals }: Deps): void {
  const configuration: PublicConfiguration = {
    declarativeModeEnabled: settings["declarative.enabled"],
    deletingPackagesEnabled: settings["deleting.packages"],
    deletingRepositoriesEnabled: settings["deleting.repositories"],
    replacingPackagesEnabled: settings["replacing.packages"],
    accessTokenLifetimeConfigurable: settings["accessTokens.lifetimeConfigurable"],
    accessTokenLifetimeDefault: Math.min(
      settings["accessTokens.lifetimeDefault"],
      settings["accessTokens.lifetimeMaximum"],
    ),
    accessTokenLifetimeMaximum: settings["accessTokens.lifetimeMaximum"],
    generateManuals: settings.generateManuals && manuals.available,
    repositoryNameValidationRegex: {
      general: ".+",
      technology: { python: formatOf("Python").repositoryName.source, r: formatOf("R").repositoryName.source },
    },
    supportedLanguages: [...supportedLanguages],
  };
  const rConfiguration: RConfiguration = {
    allowedRVersions: settings["r.versions"],
    allowedDistributions: settings["r.distributions"],
    allowedArchitectures: settings["r.architectures"],
  };

  app.route("GET /config", async () => ok(configuration));
  app.route("GET /r/config", async () => ok(rConfiguration));
  app.route("GET /version", async () => ok(productVersion));

  app.route("POST /check-server-address", async ({ body }) => {
    const given = serverAddressCheck.parse(body);
    const address = typeof given === "string" ? given : (given.serverAddress ?? "");
    await checkServerAddress(address, settings["publication.targets"]);
    return ok("OK");
  });
}
