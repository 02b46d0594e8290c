import type { Technology } from "@packhouse/contract/technology";
import { pythonTechnology } from "./python.ts";
import { rTechnology } from "./r.ts";
import type { ConsoleTechnology } from "./technology.ts";

/** Without the formats of packages, which would bring the readers of archives along. */
export const technologies: Record<Technology, ConsoleTechnology> = { R: rTechnology, Python: pythonTechnology };
