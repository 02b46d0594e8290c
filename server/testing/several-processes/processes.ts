import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../product.ts";
import { keepCompiled } from "../programs/compiled.ts";
import { productEnvironment, productProgram } from "../programs/product-program.ts";

const project = resolve(import.meta.dirname, "../../..");
const timeoutMs = 120_000;

/** A product that runs as several processes on one port, started as an operator would. */
export interface Processes {
  address: string;
  dataDir: string;
  /** Everything that they have printed. */
  output(): string;
  /** Those that serve, in the order of their start. */
  processes(): number[];
  /** Resolves when as many as configured serve. */
  whenComplete(): Promise<void>;
  /** Sends the signal to the process that was started, and returns its code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Ends it and removes its data folder. */
  stop(): Promise<void>;
}

export async function startProcesses(count: number, environment: Record<string, string>): Promise<Processes> {
  const dataDir = await mkdtemp(join(tmpdir(), "packhouse-processes-"));
  const port = await freePort();
  const child = spawn(process.execPath, [productProgram(), "start"], {
    cwd: project,
    env: {
      ...productEnvironment(),
      ...keepCompiled,
      PACKHOUSE_PORT: String(port),
      PACKHOUSE_DATA_DIR: dataDir,
      PACKHOUSE_PROCESSES: String(count),
      PACKHOUSE_OVERLOAD_EVENT_LOOP_DELAY_MS: "0",
      PACKHOUSE_LOG_LEVEL: "debug", // see `listening`
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  const ended = new Promise<number | null>((done) => child.once("exit", (code) => done(code)));
  const product: Processes = {
    address: `http://localhost:${port}`,
    dataDir,
    output: () => output,
    processes: () => serversOf(child),
    async whenComplete() {
      const deadline = Date.now() + timeoutMs;
      while (listening(output).filter((pid) => serversOf(child).includes(pid)).length < count) {
        if (child.exitCode !== null || Date.now() > deadline)
          throw new Error(`The product does not run as ${count} processes:\n${output}`);
        await sleep(50);
      }
    },
    async end(signal) {
      child.kill(signal);
      return ended;
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) await product.end("SIGTERM");
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  await product.whenComplete().catch(async (error: unknown) => {
    await product.stop();
    throw error;
  });
  return product;
}

function serversOf({ pid = 0 }: ChildProcess): number[] {
  const lines = execFileSync("ps", ["-eo", "pid,ppid,args"], { encoding: "utf8" }).split("\n");
  const children = lines.flatMap((line) => {
    const [own, parent, ...args] = line.trim().split(/\s+/);
    return Number(parent) === pid && args.includes(productProgram()) ? [Number(own)] : [];
  });
  return children.sort((a, b) => a - b);
}

/** Each logs when it listens, at level debug. */
const listening = (output: string): number[] =>
  output.split("\n").flatMap((line) => (/"pid":(\d+).*"Server listening/.exec(line) ?? []).slice(1, 2).map(Number));
