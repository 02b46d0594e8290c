import { setTimeout as sleep } from "node:timers/promises";
import { apiPrefix } from "@packhouse/contract/operation";
import type { ApiUser } from "@packhouse/server/testing/product";
import { smallRPackage, smallWheel } from "@packhouse/server/testing/small-packages";
import { z } from "zod";

export type Technology = "R" | "Python";
const folder = { R: "r", Python: "python" } as const;

/** The outcome of one package that a worker tried to upload, as far as responses showed it. */
export interface Attempt {
  technology: Technology;
  name: string;
  /** Undefined: no answer, or one that says that the server could not be reached. */
  submissionId: number | undefined;
  accepted: boolean;
}

/** Calls that nobody answered: they may have happened or not. */
class NoAnswer extends Error {}

const answer = z.object({ data: z.unknown(), messageCode: z.string().nullable() });
const submitted = z.object({ id: z.number() });

/** Statuses by which a balancer or a server says that a call did not get through. */
const unavailable = new Set([502, 503, 504]);

async function call(address: string, user: ApiUser, path: string, init: RequestInit): Promise<[number, unknown]> {
  let reply: Response;
  try {
    reply = await fetch(address + apiPrefix + path, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${user.token}` },
    });
    if (unavailable.has(reply.status)) throw new NoAnswer();
    return [reply.status, answer.parse(await reply.json()).data];
  } catch {
    throw new NoAnswer();
  }
}

const timeLimit = 60_000;

/** What all workers share. */
interface Work {
  address: string;
  people: { uploader: ApiUser; administrator: ApiUser };
  repositories: Record<Technology, string>;
  /** Where they record their attempts. */
  book: Attempt[];
  goOn(): boolean;
}

/**
 * Uploads packages and accepts them, through whichever replicas there are, and records what was confirmed. A call
 * without an answer is repeated for every third package, as a script would: that must do no harm.
 */
export async function uploadPackages(
  { address, people, repositories, book, goOn }: Work,
  worker: number,
): Promise<string[]> {
  const faults: string[] = [];
  for (let count = 0; goOn(); count += 1) {
    const technology = count % 2 === 0 ? "R" : "Python";
    const name = `replica${worker}x${count}`;
    const file = await (technology === "R" ? smallRPackage(name, "1.0.0") : smallWheel(name, "1.0.0"));
    const attempt: Attempt = { technology, name, submissionId: undefined, accepted: false };
    book.push(attempt);
    const upload = async () => {
      const form = new FormData();
      form.append("repository", repositories[technology]);
      form.append("file", new Blob([new Uint8Array(file.bytes)], { type: file.type }), file.fileName);
      const init = { method: "POST", body: form };
      const [status, data] = await call(address, people.uploader, `/${folder[technology]}/submissions`, init);
      if (status === 201) attempt.submissionId = submitted.parse(data).id;
      // The same file again is answered by a warning: it is there since the call that got no answer.
      else if (status !== 200) faults.push(`upload of ${name}: ${status} ${JSON.stringify(data)}`);
    };
    const accept = async () => {
      const init = {
        method: "PATCH",
        headers: { "content-type": "application/json-patch+json" },
        body: JSON.stringify([{ op: "replace", path: "/state", value: "ACCEPTED" }]),
      };
      const path = `/${folder[technology]}/submissions/${attempt.submissionId}`;
      const [status, data] = await call(address, people.administrator, path, init);
      if (status === 200) attempt.accepted = true;
      // Accepted by the call that got no answer.
      else if (status !== 422) faults.push(`accepting ${name}: ${status} ${JSON.stringify(data)}`);
    };
    try {
      await withOneRepetition(upload, count % 3 === 0);
      if (attempt.submissionId !== undefined) await withOneRepetition(accept, count % 3 === 0);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      await sleep(50);
    }
  }
  return faults;
}

async function withOneRepetition(work: () => Promise<void>, repeats: boolean): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof NoAnswer) || !repeats) throw error;
    await sleep(50);
    await work();
  }
}

/** Lets an installer try again until it has what it wants: replicas die while it downloads. */
export async function untilItSucceeds(install: () => Promise<unknown>): Promise<number> {
  const deadline = Date.now() + timeLimit;
  for (let tries = 1; ; tries += 1) {
    try {
      await install();
      return tries;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(200);
    }
  }
}
