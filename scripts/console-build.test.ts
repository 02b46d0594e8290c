import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isLong } from "@packhouse/fixtures/long-form";
import { expect, test } from "vitest";
import { project, tool } from "./stages.ts";

test.runIf(isLong)(
  "the first `npm start` builds the console without a warning",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "packhouse-build-"));
    try {
      const [program = "", ...parameters] = tool(
        "vite",
        "build",
        "console",
        "--logLevel",
        "warn",
        "--outDir",
        folder,
        "--emptyOutDir",
      );
      const environment = { ...process.env, NODE_ENV: "production", NO_COLOR: "1" };
      const built = spawnSync(program, parameters, { cwd: project, env: environment, encoding: "utf8" });
      expect(built).toMatchObject({ status: 0, stdout: "", stderr: "" });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  120_000,
);
