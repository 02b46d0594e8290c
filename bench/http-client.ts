import { Agent, type IncomingMessage, request } from "node:http";
import { apiPrefix } from "@packhouse/contract/operation";
import type { SmallPackage } from "@packhouse/server/testing/small-packages";
import { z } from "zod";

/**
 * What the benchmarks send with when they have the processors to share with the server: for half the processor time of
 * `fetch`, and a third of it for a form.
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

/** With the token of a user, if there is one. Connections are kept for all clients together. */
export function httpClient(address: string, token?: string): HttpClient {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };

  async function send(path: string, { method = "GET", headers = {}, body = [] }: SendOptions = {}): Promise<Buffer> {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(address + path, { agent, method, headers: { ...authorization, ...headers } });
      sent.on("error", reject).on("response", resolve);
      for (const part of body) sent.write(part);
      sent.end();
    });
    const chunks: Buffer[] = [];
    for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const { statusCode = 0 } = answer;
    if (statusCode >= 400) throw new Error(`${path} answered ${statusCode}: ${bytes.toString().slice(0, 500)}`);
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

const agent = new Agent({ keepAlive: true });
