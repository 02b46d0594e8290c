import { createServer, request } from "node:http";

/** A proxy that records a client's requests, because few clients show them. */
export interface Recorder extends AsyncDisposable {
  address: string;
  /** Method and path of each request, in their order. */
  requests: string[];
}

export async function record(product: { address: string }): Promise<Recorder> {
  const { host } = new URL(product.address);
  const requests: string[] = [];
  const server = createServer((incoming, answer) => {
    const { method = "GET", url = "/" } = incoming;
    requests.push(`${method} ${url}`);
    const headers = { ...incoming.headers, host };
    const onward = request(product.address + url, { method, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("the recorder listens nowhere");
  return {
    address: `http://localhost:${bound.port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
