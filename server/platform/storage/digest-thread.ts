import { createHash, type Hash } from "node:crypto";
import { parentPort } from "node:worker_threads";
import type { DigestName, Digests } from "../db/schema.ts";
import { digestNames, type FromDigestThread, type ToDigestThread } from "./digest-threads.ts";

const streams = new Map<number, Map<DigestName, Hash>>();

/** The thread that `digest-threads.ts` starts. It gets blocks of bytes and never parses what is in them. */
parentPort?.on("message", (message: ToDigestThread) => {
  const { stream } = message;
  const hashes = streams.get(stream) ?? new Map(digestNames.map((name) => [name, createHash(name)]));
  if ("block" in message) {
    streams.set(stream, hashes);
    for (const hash of hashes.values()) hash.update(message.block);
    return answer({ stream });
  }
  streams.delete(stream);
  if (message.end === "nothing") return;
  const digests = Object.fromEntries([...hashes].map(([name, hash]) => [name, hash.digest("hex")])) as Digests; // one for each name
  answer({ stream, digests });
});

function answer(message: FromDigestThread): void {
  parentPort?.postMessage(message);
}
