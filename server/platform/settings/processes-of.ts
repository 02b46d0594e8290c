import { availableParallelism } from "node:os";
import type { Settings } from "./settings.ts";

/** Larger machines gain more from a database of their own. */
const mostByThemselves = 8;

/** How many processes of the server run on this machine. */
export const processesOf = ({ processes }: Pick<Settings, "processes">): number =>
  processes === "auto" ? Math.min(availableParallelism(), mostByThemselves) : processes;
