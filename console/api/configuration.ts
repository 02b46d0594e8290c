import { type ConsoleConfiguration, consoleConfiguration } from "@packhouse/contract/configuration";
import { apiPrefix } from "@packhouse/contract/operation";
import { withoutTrailing } from "@packhouse/formats/trim-characters";

let current: ConsoleConfiguration = consoleConfiguration.parse({});

/** What this installation says of itself. Without an answer the defaults hold, so that the console works from any server. */
export async function loadConfiguration(): Promise<void> {
  try {
    const response = await fetch("configuration.json");
    current = consoleConfiguration.parse(await response.json());
  } catch {
    // A static host answers with something else; the defaults are what it means.
  }
}

export const configuration = (): ConsoleConfiguration => current;

/** Address of the API without a slash at its end. */
export const serverAddress = (): string => withoutTrailing(current.serverAddress, "/");

/** Address of a call of the API. */
export const apiAddress = (path: string): string => serverAddress() + apiPrefix + path;
