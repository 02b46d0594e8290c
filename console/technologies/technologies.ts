import type { Technology } from "@packhouse/contract/technology";
import { pythonTechnology } from "./python.ts";
import { rTechnology } from "./r.ts";
import type { ConsoleTechnology } from "./technology.ts";

/** Without the package formats, which would add the archive readers to the bundle. */
export const technologies: Record<Technology, ConsoleTechnology> = { R: rTechnology, Python: pythonTechnology };
