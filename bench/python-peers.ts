import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@packhouse/server/testing/product";
import { z } from "zod";

/** A folder into which pip installed pypiserver and devpi-server (`pip install --target`). */
const installed = process.env.BENCH_PEERS;
const leftOut = "left out, BENCH_PEERS names no folder with it";

/** An sdist as another server gets it. */
export interface PeerFile {
  name: string;
  version: string;
  fileName: string;
  bytes: Uint8Array;
}

type Measure = (page: string) => Promise<number>;

/** What is measured of the page of a project on pypiserver, which reads a folder. */
export async function onPypiserver(
  files: readonly PeerFile[],
  project: string,
  measure: Measure,
): Promise<number | string> {
  if (!installed) return leftOut;
  const folder = await mkdtemp(join(tmpdir(), "packhouse-pypiserver-"));
  for (let at = 0; at < files.length; at += 20)
    await Promise.all(files.slice(at, at + 20).map(({ fileName, bytes }) => writeFile(join(folder, fileName), bytes)));
  const port = await freePort();
  const server = python("-m", "pypiserver", "run", "-p", String(port), "-i", "127.0.0.1", folder);
  try {
    const page = `http://127.0.0.1:${port}/simple/${project}/`;
    await answers(page);
    return await measure(page);
  } finally {
    server.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The same on devpi, which the files are uploaded to. */
export async function onDevpi(files: readonly PeerFile[], project: string, measure: Measure): Promise<number | string> {
  if (!installed) return leftOut;
  const folder = await mkdtemp(join(tmpdir(), "packhouse-devpi-"));
  const init = python("-c", "from devpi_server.init import init; init()", "--serverdir", folder, "--no-root-pypi");
  await new Promise((done) => init.once("exit", done));
  const port = await freePort();
  const start = "from devpi_server.main import main; main()";
  const server = python("-c", start, "--serverdir", folder, "--host", "127.0.0.1", "--port", String(port));
  const address = `http://127.0.0.1:${port}`;
  try {
    await answers(`${address}/+api`);
    const signIn = await sent(`${address}/+login`, "POST", JSON.stringify({ user: "root", password: "" }));
    const { result } = z.object({ result: z.object({ password: z.string() }) }).parse(await signIn.json());
    const credentials = Buffer.from(`root:${result.password}`).toString("base64");
    await sent(`${address}/root/bench`, "PUT", JSON.stringify({ bases: [] }), credentials);
    for (const { name, version, fileName, bytes } of files) {
      const form = new FormData();
      const fields = { ":action": "file_upload", name, version, filetype: "sdist", metadata_version: "2.1" };
      for (const [field, value] of Object.entries(fields)) form.append(field, value);
      form.append("content", new Blob([bytes.slice()]), fileName);
      await sent(`${address}/root/bench/`, "POST", form, credentials);
    }
    return await measure(`${address}/root/bench/+simple/${project}/`);
  } finally {
    server.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

const python = (...parameters: string[]) =>
  spawn("python3", parameters, { env: { ...process.env, PYTHONPATH: installed }, stdio: "ignore" });

async function sent(address: string, method: string, body: string | FormData, credentials?: string): Promise<Response> {
  const response = await fetch(address, {
    method,
    body,
    headers: {
      ...(typeof body === "string" ? { "content-type": "application/json", accept: "application/json" } : {}),
      ...(credentials === undefined ? {} : { "x-devpi-auth": credentials }),
    },
  });
  if (!response.ok) throw new Error(`${method} ${address}: ${response.status}`);
  return response;
}

/** The first answer comes after the folder was read. */
async function answers(address: string): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const response = await fetch(address).catch(() => undefined);
    if (response?.ok) return;
    await sleep(200);
  }
  throw new Error(`${address} does not answer`);
}
