import { provideTestedBuilds } from "../scripts/tested-builds.ts";
import { acceptToVisible } from "./accept-to-visible.ts";
import { backupMemory } from "./backup-memory.ts";
import { consoleLoading } from "./console-loading.ts";
import { decisions } from "./decisions.ts";
import { downloads } from "./downloads.ts";
import { growth } from "./growth.ts";
import { idleMemory } from "./idle-memory.ts";
import { indexPages } from "./index-pages.ts";
import { lists } from "./lists.ts";
import { load } from "./load.ts";
import { longLists } from "./long-lists.ts";
import { rendering } from "./rendering.ts";
import { reviewDesk } from "./review-desk.ts";
import { reviewSignals } from "./review-signals.ts";
import { soak } from "./soak.ts";
import { start } from "./start.ts";
import { upgrade } from "./upgrade.ts";
import { uploadMemory } from "./upload-memory.ts";
import { largeUploads, smallUploads } from "./uploads.ts";

/** `npm run bench`: prints what `docs/performance.md` records. Name one to run it alone. */
const benchmarks = {
  "index-pages": indexPages,
  "accept-to-visible": acceptToVisible,
  downloads,
  "idle-memory": idleMemory,
  "upload-memory": uploadMemory,
  "large-uploads": largeUploads,
  "small-uploads": smallUploads,
  decisions,
  growth,
  "backup-memory": backupMemory,
  rendering,
  lists,
  "review-desk": reviewDesk,
  upgrade,
  start,
  "console-loading": consoleLoading,
  "long-lists": longLists,
  load,
  soak,
  "review-signals": reviewSignals,
};
/** Take half an hour: only by their names. */
const onlyNamed = new Set(["soak", "review-signals"]);

// What they have started ends with this process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

await provideTestedBuilds();
const [only] = process.argv.slice(2);
for (const [name, run] of Object.entries(benchmarks)) {
  if (only === undefined ? onlyNamed.has(name) : only !== name) continue;
  process.stdout.write(`\n${name}\n`);
  for (const line of await run()) process.stdout.write(`  ${line}\n`);
}
