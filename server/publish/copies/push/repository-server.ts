import { createHash } from "node:crypto";
import { z } from "zod";
import { outgoing } from "../../../platform/observability/trace.ts";
import { type FormPart, multipart } from "./multipart.ts";

/** A repository server is given up after this much silence; the last page of a push may take it a while. */
const patienceMs = 120_000;

/** A part of a page that is sent as a file. */
export interface PushedPart {
  field: "files" | "files_archive";
  /** Name under which it is sent. */
  name: string;
  sizeBytes: number;
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/** One request of a push, without the page counters. */
export interface PageForm {
  fields: readonly FormPart[];
  files: readonly PushedPart[];
  /** Of `node:crypto`, for the checksums of the files. */
  hash: string;
}

/** One repository on a server that speaks RDepot's push protocol. */
export interface RepositoryServer {
  /** A list of files, as the server has it below the repository's address. */
  list(below?: string): Promise<string[]>;
  /** Sends the pages in order, as one transaction of the server. Throws at the first refusal. */
  push(startVersion: number, pages: readonly PageForm[]): Promise<void>;
}

const accepted = z.object({ id: z.string(), message: z.literal("OK") });

const highestVersion = 2_147_483_647;
const versionAfter = (version: number): number => (version >= highestVersion ? 1 : version + 1);

/** `address` ends in a slash. */
export function repositoryServer(address: string): RepositoryServer {
  return {
    async list(below = "") {
      const signal = AbortSignal.timeout(patienceMs);
      const answer = await outgoing("GET", new URL(address), (headers) =>
        fetch(address + below, { headers, redirect: "error", signal }),
      );
      if (!answer.ok) throw new Error(`${address}${below} responded with ${answer.status}`);
      return z.array(z.string()).parse(await answer.json());
    },
    async push(startVersion, pages) {
      let id = "";
      let version = startVersion;
      for (const [index, page] of pages.entries()) {
        const counted: FormPart[] = [
          { name: "version_before", text: String(version) },
          { name: "version_after", text: String(versionAfter(version)) },
          { name: "page", text: `${index + 1}/${pages.length}` },
          { name: "id", text: id },
        ];
        id = await send(address, page, counted);
        version = versionAfter(version);
      }
    },
  };
}

async function send(address: string, { fields, files, hash }: PageForm, counted: readonly FormPart[]): Promise<string> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error(`${address} does not respond`)), patienceMs);
  const form = multipart(partsOf([...counted, ...fields], files, hash), () => timer.refresh());
  try {
    const answer = await outgoing("POST", new URL(address), (headers) =>
      fetch(address, {
        method: "POST",
        headers: { "content-type": form.type, ...headers },
        body: ReadableStream.from(form.body),
        duplex: "half",
        redirect: "error",
        signal: silence.signal,
      }),
    );
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${address} responded with ${answer.status}: ${text.slice(0, 200)}`);
    return accepted.parse(JSON.parse(text)).id;
  } finally {
    clearTimeout(timer);
  }
}

/** The checksums come last, because they are computed while the files are sent. */
async function* partsOf(
  fields: readonly FormPart[],
  files: readonly PushedPart[],
  hash: string,
): AsyncGenerator<FormPart> {
  yield* fields;
  const checksums: Record<string, string> = {};
  for (const { field, name, open } of files) {
    const digest = createHash(hash);
    yield { name: field, fileName: name, body: through(await open(), (chunk) => digest.update(chunk)) };
    checksums[name] = digest.digest("hex");
  }
  yield { name: "checksums", json: checksums };
}

async function* through(
  chunks: AsyncIterable<Uint8Array>,
  see: (chunk: Uint8Array) => unknown,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    see(chunk);
    yield chunk;
  }
}
