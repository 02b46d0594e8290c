import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isLong } from "@packhouse/fixtures/long-form";
import { expect, test } from "vitest";
import { bundler } from "./server-build.ts";
import { project, tool } from "./stages.ts";

const builders: Record<string, (folder: string) => string[]> = {
  console: (folder) => tool("vite", "build", "console", "--logLevel", "warn", "--outDir", folder, "--emptyOutDir"),
  server: (folder) => [process.execPath, join(project, bundler), folder],
};

test.runIf(isLong).each(Object.entries(builders))(
  "the first `npm start` builds the %s without a warning",
  (_, builder) => {
    const folder = mkdtempSync(join(tmpdir(), "packhouse-build-"));
    try {
      const [program = "", ...parameters] = builder(folder);
      const environment = { ...process.env, NODE_ENV: "production", NO_COLOR: "1" };
      const built = spawnSync(program, parameters, { cwd: project, env: environment, encoding: "utf8" });
      expect(built).toMatchObject({ status: 0, stdout: "", stderr: "" });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  120_000,
);
