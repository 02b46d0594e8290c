import { programVariable } from "../server/testing/programs/product-program.ts";
import { provideBuilds } from "./provide-builds.ts";
import { builtServer } from "./server-build.ts";

/** Tests and benchmarks of this process, and of those that it starts, run the built server, as `npm start` does. */
export async function provideTestedBuilds(): Promise<void> {
  await provideBuilds();
  process.env[programVariable] = builtServer;
}
