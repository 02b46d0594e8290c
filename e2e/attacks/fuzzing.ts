import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { folderOf } from "../clients/pypi-programs.ts";
import { someArchive } from "./archive-grammar.ts";
import { type Attack, Harm, must, mustBeRefused } from "./attack.ts";
import { randomSource } from "./random-source.ts";
import { attackedRepositories, type Scene } from "./scene.ts";

/** With one seed, a run is repeated; the long form takes another one each time. */
const seed = Number(process.env.PACKHOUSE_TEST_FUZZ_SEED ?? 8_017);
const seconds = Number(process.env.PACKHOUSE_TEST_FUZZ_SECONDS ?? 25);
const slowestUploadMs = 10_000;
/** Schemathesis reads the description first, which counts as its time. */
const readsDescriptionSeconds = 15;

/** Those that need the program schemathesis. */
export const descriptionKind = "calls made up from the API's description";

/** Calls everything that the description of the API names, with values that fit and values that do not. */
const described = (role: string, tokenOf: (scene: Scene) => Promise<string>): Attack => ({
  kind: descriptionKind,
  variant: `as ${role}, for ${seconds} s`,
  long: true, // its program alone takes a quarter of a minute to read the description
  disruptive: true,
  timeoutMs: (seconds * 3 + 120) * 1000,
  async run(scene) {
    const folder = await mkdtemp(join(tmpdir(), "packhouse-schemathesis-"));
    const parameters = [
      ...["run", `${scene.address}/v2/api-docs`, "--url", scene.address, "--seed", String(seed)],
      ...["--header", `Authorization: Bearer ${await tokenOf(scene)}`, "--header", "X-Forwarded-For: 192.0.2.77"],
      ...["--checks", "not_a_server_error", "--phases", "coverage,fuzzing", "--max-examples", "20"],
      ...[
        "--max-time",
        String(seconds + readsDescriptionSeconds),
        "--request-timeout",
        "20",
        "--continue-on-failure",
        "--no-shrink",
      ],
      ...["--suppress-health-check", "all", "--warnings", "off", "--no-color"],
      // It answers by 500 on purpose.
      ...["--exclude-path-regex", "bad-endpoint"],
    ];
    const child = spawn("/usr/bin/python3", ["-m", "schemathesis.cli", ...parameters], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, PYTHONPATH: folderOf("schemathesis"), LC_ALL: "C.UTF-8" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const late = setTimeout(() => child.kill("SIGKILL"), (seconds * 3 + 90) * 1000);
    try {
      const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
      const [, tested = "0"] = /Test cases:\s+(\d+)/i.exec(output) ?? /(\d+) generated/i.exec(output) ?? [];
      must(code === 0 || code === 1, `schemathesis ended with ${code}: ${(errors || output).slice(-500)}`);
      const failure = output.indexOf("= FAILURES =");
      must(code === 0, output.slice(Math.max(0, failure)).slice(0, 700).replaceAll(/\s+/g, " "));
      must(Number(tested) > 0, `schemathesis made no calls: ${output.slice(-300)}`);
      return `${tested} calls, none answered by 5xx`;
    } finally {
      clearTimeout(late);
      await rm(folder, { recursive: true, force: true });
    }
  },
});

const uploads: Attack = {
  kind: "uploads made up from a grammar",
  variant: `archives of an ordinary user, for ${seconds} s`,
  disruptive: true,
  timeoutMs: (seconds + 60) * 1000,
  async run(scene) {
    const random = randomSource(seed);
    const counts = { stored: 0, refused: 0 };
    let { token } = await scene.freshUser();
    const end = Date.now() + seconds * 1000;
    for (let count = 0; Date.now() < end; count += 1) {
      const file = await someArchive(random, `grammar${seed}x${count}`);
      const answer = await scene.upload(file.technology, attackedRepositories[file.technology], file, { token });
      if (answer.tookMs > slowestUploadMs)
        throw new Harm(`upload ${count} of seed ${seed} took ${Math.round(answer.tookMs)} ms`);
      if (answer.status === 201) counts.stored += 1;
      else {
        try {
          mustBeRefused(answer);
        } catch (error) {
          throw new Harm(`upload ${count} of seed ${seed}: ${error instanceof Error ? error.message : error}`);
        }
        counts.refused += 1;
        // Uploads are what this tries, not how many one user may make.
        if (answer.status === 429) ({ token } = await scene.freshUser());
      }
    }
    return `${counts.stored} stored, ${counts.refused} refused, none answered by 5xx`;
  },
};

export const attacks: readonly Attack[] = [
  uploads,
  described("user", async (scene) => (await scene.freshUser()).token),
  described("repository maintainer", async (scene) => scene.maintainer),
  // Nothing is refused to them, so their calls get furthest.
  described("administrator", async (scene) => scene.administrator),
];
