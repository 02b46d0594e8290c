import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import type { Scene } from "./scene.ts";

const program = join(resolve(import.meta.dirname, "../.."), "server/packhouse.ts");

/** A command of the product beside the running server, as an operator calls it. */
export async function commandOutcome(
  { environment }: Pick<Scene, "environment">,
  words: readonly string[],
  input: string,
): Promise<{ code: number; said: string }> {
  const child = spawn(process.execPath, [program, ...words], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["pipe", "ignore", "pipe"],
  });
  const timeout = setTimeout(() => child.kill("SIGKILL"), 60_000);
  child.stdin.on("error", () => {}); // it may end before it has read
  child.stdin.end(input);
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  clearTimeout(timeout);
  return { code: Number(code ?? 1), said: said.trim() };
}

export async function runCommand(
  scene: Pick<Scene, "environment">,
  words: readonly string[],
  input: string,
): Promise<void> {
  const { code, said } = await commandOutcome(scene, words, input);
  if (code !== 0) throw new Error(`packhouse ${words.join(" ")} ended with ${code}: ${said}`);
}
