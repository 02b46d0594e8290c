import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { apiPrefix } from "@packhouse/contract/routes";
import { smallRPackage } from "@packhouse/server/testing/small-packages";
import { type Attack, Harm, must, mustBeBounded, mustBeRefused } from "./attack.ts";
import { attackedRepositories, type Body, freshName, openRepositories, type Scene } from "./scene.ts";

/** Sends bytes as they are and gives what comes back before the connection or the time ends. */
function raw({ address }: Scene, text: string, waitMs = 10_000): Promise<string> {
  const { hostname, port } = new URL(address);
  return new Promise((done) => {
    let received = "";
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.setTimeout(waitMs, () => socket.destroy());
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (/^HTTP\/1\.1 [45]\d\d /.test(received)) socket.end();
    });
    socket.on("error", () => {}); // "close" follows
    socket.on("close", () => done(received));
  });
}

/** Sends the beginning of a request many times, and resets each connection at another moment of its first part. */
async function resetMany({ address }: Scene, token: string, head: string, body = ""): Promise<void> {
  const { hostname, port, host } = new URL(address);
  const text = `${head}\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n${body}`;
  await Promise.all(
    Array.from(
      { length: 120 },
      (_, at) =>
        new Promise<void>((done) => {
          const socket = connect(Number(port), hostname, () => {
            socket.write(text);
            setTimeout(() => socket.resetAndDestroy(), at / 4);
          });
          socket.on("error", () => {}); // "close" follows
          socket.on("close", () => done());
        }),
    ),
  );
}

const statusOf = (text: string): number => Number(/^HTTP\/1\.\d (\d{3})/.exec(text)?.[1] ?? 0);

export const attacks: readonly Attack[] = [
  {
    kind: "requests that two servers read differently",
    variant: "two hosts, none, two lengths, length and chunks, spaces in names",
    async run(scene) {
      const line = "GET /configuration.json HTTP/1.1\r\n";
      const { host } = new URL(scene.address);
      const post = `POST /login HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
      const requests = {
        "two hosts": `${line}Host: ${host}\r\nHost: ${host}\r\n\r\n`,
        "its host and another": `${line}Host: ${host}\r\nHost: b\r\n\r\n`,
        "no host": `${line}\r\n`,
        "two lengths": `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
        "length and chunks": `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
        "unknown encoding": `${post}Transfer-Encoding: x, chunked, y\r\n\r\n0\r\n\r\n`,
        "space before the colon": `${line}Host : ${host}\r\n\r\n`,
        "folded header": `${line}Host: ${host}\r\nY: a\r\n b\r\nX: y\r\n\r\n`,
        "zero byte": `${line}Host: ${host}\r\nX: \0\r\n\r\n`,
      };
      for (const [what, text] of Object.entries(requests)) {
        const status = statusOf(await raw(scene, text));
        must(status >= 400 && status < 500, `${what}: answered by ${status || "nothing"}`);
      }
      return "refused";
    },
  },
  {
    kind: "requests that never end",
    variant: "200 connections that send a byte now and then",
    async run(scene) {
      const { hostname, port } = new URL(scene.address);
      const sockets = Array.from({ length: 200 }, () => {
        const socket = connect(Number(port), hostname, () => socket.write("POST /login HTTP/1.1\r\nHost: a\r\nX-"));
        socket.on("error", () => {}); // the server may cut it
        return socket;
      });
      try {
        for (let round = 0; round < 10; round += 1) {
          await new Promise((later) => setTimeout(later, 200));
          for (const socket of sockets) if (!socket.destroyed) socket.write("a");
          must((await scene.send("GET", "/_/actuator/health")).tookMs < 5_000, "others wait for more than 5 s");
        }
        return "others are served";
      } finally {
        for (const socket of sockets) socket.destroy();
      }
    },
  },
  {
    kind: "connections that are reset",
    variant: "while they wait for a turn: uploads, large bodies, exports of events",
    async run(scene) {
      const { token } = await scene.freshUser();
      const form = "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000";
      const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a_1.0.tar.gz"\r\n\r\nabc';
      for (const body of ["", part])
        await resetMany(scene, token, `POST ${apiPrefix}/r/submissions HTTP/1.1\r\n${form}`, body);
      const json = "Content-Type: application/json\r\nContent-Length: 900000";
      await resetMany(scene, token, `POST ${apiPrefix}/access-tokens HTTP/1.1\r\n${json}`, "{");
      await resetMany(scene, token, `GET ${apiPrefix}/events/export HTTP/1.1`);
      const file = await smallRPackage(freshName("afterreset"), "1.0");
      const stored = await scene.upload("r", attackedRepositories.r, file, { token });
      must(stored.status === 201, `the next upload is answered by ${stored.status}`);
      const large = { name: "large", note: " ".repeat(20_000) };
      const body = await scene.send("POST", "/access-tokens", { token, json: large });
      must(body.status !== 503, "the next large body gets no turn");
      for (const deadline = Date.now() + 10_000; ; await sleep(200)) {
        const exported = await scene.send("GET", "/events/export", { token });
        if (exported.status === 200) return "each turn is given back";
        must(Date.now() < deadline, `the next export is answered by ${exported.status}`);
      }
    },
  },
  {
    kind: "bodies that are too much",
    variant: "100,000 nested brackets, 50 MB of JSON, a compressed body, 10,000 parts of a form",
    async run(scene) {
      const headers = { "content-type": "application/json" };
      const { token } = await scene.freshUser();
      const sent: [string, string, Record<string, string>, Body][] = [
        ["POST", "/_/login", headers, "[".repeat(100_000)],
        ["POST", "/_/login", headers, `{"login":"a","password":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}`],
        ["POST", "/access-tokens", headers, JSON.stringify({ name: "x", more: "y".repeat(50_000_000) })],
        [
          "POST",
          "/access-tokens",
          { ...headers, "content-encoding": "gzip" },
          new Uint8Array(gzipSync(Buffer.alloc(50_000_000, " "))),
        ],
      ];
      for (const [method, path, its, body] of sent) {
        // A server may end the connection before it has read all of it.
        const answer = await scene.send(method, path, { token, headers: its, body }).catch((error: unknown) => {
          if (error instanceof Harm && /ECONNRESET|EPIPE|SocketError|closed/.test(error.message)) return undefined;
          throw error;
        });
        if (answer) mustBeRefused(answer);
      }
      const form = new FormData();
      for (let at = 0; at < 10_000; at += 1) form.append(`field${at}`, "x");
      mustBeRefused(await scene.send("POST", "/r/submissions", { token, body: form }));
      return "refused";
    },
  },
  {
    kind: "addresses out of the ordinary",
    variant: "climbing out of the repository, broken escapes, very long, ranges without end",
    async run(scene) {
      const { r, python } = openRepositories;
      const paths = [
        `/_/repo/${r}/src/contrib/..%2f..%2f..%2f..%2fetc/passwd`,
        `/_/repo/${r}/src/contrib/%2e%2e/%2e%2e/%2e%2e/etc/passwd`,
        `/_/repo/${r}/src/contrib/%00`,
        `/_/repo/${r}/src/contrib/%ff%fe`,
        `/_/repo/${python}/simple/${"a".repeat(10_000)}/`,
        "/_/repo/__proto__/src/contrib/PACKAGES",
        "/_/repo/constructor/simple/",
      ];
      for (const path of paths) {
        const answer = await scene.send("GET", path);
        must(answer.status >= 400 && answer.status < 500, `${path.slice(0, 60)} is answered by ${answer.status}`);
      }
      const range = `bytes=${Array.from({ length: 2_000 }, (_, at) => `${at}-`).join(",")}`;
      mustBeBounded(await scene.send("GET", `/_/repo/${r}/src/contrib/PACKAGES`, { headers: { range } }), 100_000);
      for (const query of [
        "size=100000000",
        "size=-1",
        "page=99999999999999999999",
        "sort=id,asc;drop",
        `search=${"%25".repeat(4_000)}`,
        `name=${"a&name=".repeat(2_000)}b`,
      ])
        mustBeBounded(await scene.send("GET", `/packages?${query}`, { token: scene.administrator }));
      return "refused";
    },
  },
];
