import { enableCompileCache } from "node:module";
import { compiledFolder } from "./programs/compiled.ts";

/** The product's worker program; those that tests start later need not compile it again. */
enableCompileCache(compiledFolder);
await import("../app/worker.ts");
