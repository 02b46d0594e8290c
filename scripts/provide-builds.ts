import { provideConsole } from "./console-build.ts";
import { provideServer } from "./server-build.ts";

/** Builds console and server where they have changed since the last time. */
export async function provideBuilds(signal?: AbortSignal): Promise<void> {
  await provideServer(signal);
  await provideConsole(signal);
}
