// Goes on with Node 24 where the running Node is older, and installs the project's packages when they changed.
// Plain JavaScript for Node 18 and later; `npm start`, `npm test`, `bin/packhouse` and the others pass through here.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const wantedMajor = 24;
const nodeVersion = "24.21.0";
const project = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const cache = join(project, ".cache");

/** With our Node first, so that npm and whatever it runs use it too. */
const environmentFor = (program) => ({ ...process.env, PATH: `${dirname(program)}:${process.env.PATH ?? ""}` });

// Scripts of package.json that must not outlive npm pass this option.
const throughNpm = process.argv[2] === "--through-npm";
if (throughNpm) process.argv.splice(2, 1);
const parent = process.ppid;

const node = Number(process.versions.node.split(".")[0]) >= wantedMajor ? process.execPath : cachedNode();
installPackages();
if (throughNpm) endWithParent();
if (node === process.execPath) await goOn();
else run();

/** Node 24 as the npm package of this platform, which needs no install script. */
function cachedNode() {
  const folder = join(cache, `node-${nodeVersion}`);
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const program = join(folder, "node_modules", name, "bin", "node");
  if (!works(program)) {
    say(`This machine has Node ${process.versions.node}; fetching Node ${nodeVersion} for Packhouse …`);
    mkdirSync(folder, { recursive: true });
    // A package of its own, or npm would add the dependency to the project.
    writeFileSync(join(folder, "package.json"), "{}\n");
    npm(
      process.execPath,
      [
        "install",
        "--prefix",
        folder,
        "--no-save",
        "--no-audit",
        "--no-fund",
        "--ignore-scripts",
        `${name}@${nodeVersion}`,
      ],
      folder,
    );
    if (!works(program))
      fail(`Node ${nodeVersion} does not run on this machine (${name}). Please install Node ${wantedMajor} or later.`);
  }
  return program;
}

function works(program) {
  return existsSync(program) && spawnSync(program, ["--version"]).status === 0;
}

/** Only when the lock file has changed: no network is needed once it is installed. */
function installPackages() {
  if (!writable(project)) return; // another user's, or part of an image, with its packages installed
  const stampFile = join(project, "node_modules", ".packhouse-installed");
  const stamp = createHash("sha256")
    .update(readFileSync(join(project, "package-lock.json")))
    .digest("hex");
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  say("Installing packages …");
  const started = Date.now();
  npm(node, ["ci", "--no-audit", "--no-fund", "--loglevel=error"], project);
  writeFileSync(stampFile, stamp);
  say(`Installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

function writable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function npm(program, parameters, folder) {
  const { status } = spawnSync(program, [npmEntry(), ...parameters], {
    cwd: folder,
    env: environmentFor(program),
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) fail(`npm ${parameters[0]} failed.`);
}

/** npm's own program, so that it runs on the Node that we choose. */
function npmEntry() {
  if (process.env.npm_execpath && existsSync(process.env.npm_execpath)) return process.env.npm_execpath;
  const bundled = resolve(dirname(process.execPath), "../lib/node_modules/npm/bin/npm-cli.js");
  if (existsSync(bundled)) return bundled;
  for (const folder of ["/usr/lib/node_modules", "/usr/local/lib/node_modules", "/usr/share/nodejs"]) {
    const entry = join(folder, "npm/bin/npm-cli.js");
    if (existsSync(entry)) return entry;
  }
  try {
    return createRequire(import.meta.url).resolve("npm/bin/npm-cli.js");
  } catch {
    return fail("npm was not found. Please run this through npm.");
  }
}

/** A killed npm sends no signal, but its processes get another parent. */
function endWithParent() {
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, "SIGTERM");
  }, 500).unref();
}

/** In this process: one fewer that can be killed. */
async function goOn() {
  process.argv.splice(1, 1);
  process.argv[1] = resolve(process.argv[1]);
  process.env.PATH = environmentFor(node).PATH;
  await import(pathToFileURL(process.argv[1]).href);
}

/**
 * Hands over, passes signals on, and ends as the child ends. Ctrl-C also reaches the child directly; it takes both for
 * one. Over the channel it notices when this process is killed.
 */
function run() {
  const child = spawn(node, process.argv.slice(2), {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: environmentFor(node),
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    // Signal handlers and the channel would keep this process.
    process.exit(code ?? (signal ? 1 : 0));
  });
}

function say(text) {
  process.stderr.write(`${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}
