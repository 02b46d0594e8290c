import { type ConsoleConfiguration, consoleConfiguration } from "@packhouse/contract/console-configuration";
import { apiPrefix } from "@packhouse/contract/operation";
import { withoutTrailing } from "@packhouse/formats/trim-characters";

let current: ConsoleConfiguration = consoleConfiguration.parse({});

/** The configuration of this installation. Without a response, the defaults apply, so that any host works. */
export async function loadConfiguration(): Promise<void> {
  try {
    const response = await fetch("configuration.json");
    current = consoleConfiguration.parse(await response.json());
  } catch {
    // A static host responds with something else, which means the defaults.
  }
}

export const configuration = (): ConsoleConfiguration => current;

/** Address of the API without a trailing slash. */
export const serverAddress = (): string => withoutTrailing(current.serverAddress, "/");

/** Address of a call of the API. */
export const apiAddress = (path: string): string => serverAddress() + apiPrefix + path;
