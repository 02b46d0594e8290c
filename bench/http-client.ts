import { apiPrefix } from "@packhouse/contract/operation";
import type { SmallPackage } from "@packhouse/server/testing/small-packages";
import { z } from "zod";
import { connectionsTo } from "./connections.ts";

/**
 * What the benchmarks send with when they share the processors with the server: for a quarter of the processor time of
 * `fetch`, and less of it for a form.
 */
export interface HttpClient {
  /** Returns the body; throws if the answer is an error. */
  send(path: string, options?: SendOptions): Promise<Buffer>;
  /** Uploads an R package; returns the ids of its submission and of the package itself. */
  uploadR(repository: string, file: SmallPackage): Promise<{ submission: number; package: number }>;
  /** Changes one property. */
  replace(path: string, property: string, value: unknown): Promise<void>;
}

interface SendOptions {
  method?: string;
  headers?: Record<string, string | number>;
  body?: readonly (string | Uint8Array)[];
}

const boundary = "bench-boundary";
const uploaded = z.object({ data: z.object({ id: z.number(), packageBag: z.object({ id: z.number() }) }) });

/** With the token of a user, if there is one. */
export function httpClient(address: string, token?: string): HttpClient {
  const connections = connectionsTo(address);
  const always = `host: ${new URL(address).host}\r\n${token === undefined ? "" : `authorization: Bearer ${token}\r\n`}`;

  async function send(path: string, { method = "GET", headers = {}, body = [] }: SendOptions = {}): Promise<Buffer> {
    let head = `${method} ${path} HTTP/1.1\r\n${always}`;
    for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
    const { status, body: bytes } = await connections.send([`${head}\r\n`, ...body]);
    if (status >= 400) throw new Error(`${path} answered ${status}: ${bytes.toString().slice(0, 500)}`);
    return bytes;
  }

  return {
    send,
    async uploadR(repository, { fileName, bytes }) {
      const field = (name: string, value: string) =>
        `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
      const before =
        field("repository", repository) +
        field("generateManual", "false") +
        `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${fileName}"\r\ncontent-type: application/gzip\r\n\r\n`;
      const after = `\r\n--${boundary}--\r\n`;
      const answer = await send(`${apiPrefix}/r/submissions`, {
        method: "POST",
        headers: {
          "content-type": `multipart/form-data; boundary=${boundary}`,
          "content-length": before.length + bytes.length + after.length,
        },
        body: [before, bytes, after],
      });
      const { data } = uploaded.parse(JSON.parse(answer.toString()));
      return { submission: data.id, package: data.packageBag.id };
    },
    async replace(path, property, value) {
      const body = JSON.stringify([{ op: "replace", path: property, value }]);
      const headers = { "content-type": "application/json-patch+json", "content-length": body.length };
      await send(apiPrefix + path, { method: "PATCH", headers, body: [body] });
    },
  };
}
