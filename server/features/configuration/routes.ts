import type { PublicConfiguration, RConfiguration } from "@packhouse/contract/configuration";
import * as operations from "@packhouse/contract/operations/configuration";
import { checkServerAddress as checkAddressOperation } from "@packhouse/contract/operations/repositories";
import { supportedLanguages } from "@packhouse/contract/user-settings";
import { formatOf } from "@packhouse/formats/format";
import type { App } from "../../http/application.ts";
import { productVersion } from "../../platform/product-version.ts";
import type { Deps } from "../deps.ts";
import { checkServerAddress } from "../repositories/check-server-address.ts";

/** The settings as clients see them. */
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
    mailEnabled: settings["mail.host"] !== undefined,
  };
  const rConfiguration: RConfiguration = {
    allowedRVersions: settings["r.versions"],
    allowedDistributions: settings["r.distributions"],
    allowedArchitectures: settings["r.architectures"],
  };

  app.handle(operations.readConfiguration, async () => configuration);
  app.handle(operations.readRConfiguration, async () => rConfiguration);
  app.handle(operations.readVersion, async () => productVersion);

  app.handle(checkAddressOperation, async ({ body }) => {
    const address = typeof body === "string" ? body : (body.serverAddress ?? "");
    await checkServerAddress(address, settings["publication.targets"]);
    return "OK";
  });
}
