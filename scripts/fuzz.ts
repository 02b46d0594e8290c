import { runStage, tool } from "./stages.ts";

/**
 * `npm run fuzz -- [minutes]`: tries the properties of the formats with new values for that long (10 by default);
 * stops at the first that does not hold, with the seed that shows it again.
 */
const minutes = Number(process.argv[2] ?? 10);
const end = Date.now() + minutes * 60_000;
const factor = 30;
for (let round = 1; Date.now() < end; round += 1) {
  const held = await runStage({
    name: `properties of the formats, round ${round}`,
    command: tool("vitest", "run", "--project", "unit", "--testTimeout", "3600000", "formats", "server/publish"),
    environment: { PACKHOUSE_FUZZ_FACTOR: String(factor) },
  });
  if (!held) process.exit(1);
}
