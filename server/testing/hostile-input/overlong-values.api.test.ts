import { randomBytes } from "node:crypto";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { longestGiven, longestParameter } from "@packhouse/contract/limits";
import { apiPrefix } from "@packhouse/contract/operation";
import { type OperationName, operations } from "@packhouse/contract/operations";
import { isLong } from "@packhouse/fixtures/long-form";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Matrix, startMatrix } from "../authorization/matrix.ts";
import type { TargetRecord } from "../authorization/records.ts";
import { type Client, replace, type TestAnswer } from "../packhouse.ts";
import { smallRPackage } from "../small-packages.ts";

let matrix: Matrix;
let admin: Client;
beforeAll(async () => {
  matrix = await startMatrix();
  admin = await matrix.it.bySession(matrix.it.admin);
}, 120_000);
afterAll(() => matrix.it.close());

/** No database compresses it. */
const noise = (length: number) => randomBytes(length).toString("base64url").slice(0, length);
/** Longer than index rows can hold, longer than names, and longer than any text of a request may be. */
const lengths = isLong ? [256, 3000, longestGiven, longestGiven + 1, 400_000] : [3000, longestGiven + 1];
/** A valid address may be longer than a name. */
const longerThanAddresses = lengths.filter((length) => length > 1000);

interface Sent {
  what: string;
  status: number;
  text: string;
}
const wrong: string[] = [];
let sent = 0;

/** No text may end in a 500; what is longer than the contract allows is refused, in the envelope. */
function check({ what, status, text }: Sent, mustRefuse: boolean): void {
  sent += 1;
  if (status >= 500) wrong.push(`${what}: ${status} ${text.slice(0, 200)}`);
  if (mustRefuse && status < 400) wrong.push(`${what}: ${status}`);
  if (status < 400) return;
  const envelope = z.object({ status: z.literal("ERROR"), code: z.literal(status), messageCode: z.string() });
  if (!envelope.safeParse(JSON.parse(text)).success) wrong.push(`${what}: ${text.slice(0, 200)}`);
}

async function send(what: string, path: string, init: RequestInit = {}): Promise<Sent> {
  const response = await admin.request(apiPrefix + path, init);
  return { what, status: response.status, text: await response.text() };
}
const json = (method: "POST" | "PATCH", body: unknown): RequestInit => ({
  method,
  headers: { "content-type": method === "POST" ? "application/json" : "application/json-patch+json" },
  body: JSON.stringify(body),
});

async function recordOf(route: OperationName): Promise<TargetRecord> {
  const { make, states } = matrix.calls[route];
  const [person] = matrix.people;
  if (!person) throw new Error("nobody is there");
  return make ? make(states[0] ?? "", person) : { id: 0 };
}
const addressOf = (route: OperationName, { id, fileName = "" }: TargetRecord) =>
  route
    .slice(route.indexOf(" ") + 1)
    .replace(":id", String(id))
    .replace(":file", fileName);

/** The body that the matrix would send. */
async function bodyOf(route: OperationName, record: TargetRecord): Promise<unknown> {
  const [variant] = matrix.calls[route].variants;
  let body: unknown;
  const nothing: TestAnswer = { http: 0, status: "", messageCode: null, data: null, headers: new Headers() };
  const recorder: Client = {
    ...admin,
    async post(_path, given) {
      body = given;
      return nothing;
    },
  };
  await variant?.send(recorder, record, matrix.calls[route].states[0] ?? "");
  return body;
}

/** Names of the members of an object, those of objects in it as pointers. */
const pointersOf = (shape: z.ZodType, depth = 0): string[] =>
  shape instanceof z.ZodObject && depth < 3
    ? Object.entries<z.ZodType>(shape.shape).flatMap(([name, field]) => [
        `/${name}`,
        ...pointersOf(field, depth + 1).map((inner) => `/${name}${inner}`),
      ])
    : [];

const ofBody = (kind: (route: OperationName) => boolean) =>
  (Object.keys(operations) as OperationName[]).filter((route) => kind(route)); // its keys
const jsonRoutes = ofBody((route) => {
  const { body } = operations[route];
  return typeof body === "object" && "json" in body;
});
const patchRoutes = ofBody((route) => operations[route].body === "json-patch");

describe("a text that is too long", () => {
  test("in the query of a list", async () => {
    for (const [route, { answer }] of Object.entries(operations)) {
      if (answer === "nothing" || !("list" in answer)) continue;
      const path = route.slice("GET ".length);
      for (const name of [...Object.keys(answer.list.filters), "page", "size", "sort", "unknown"])
        for (const length of [3000, longestParameter + 1]) {
          const tolerated = length <= longestParameter || ["page", "size", "unknown"].includes(name);
          check(await send(`${route} ?${name} ${length}`, `${path}?${name}=${noise(length)}`), !tolerated);
        }
      const many = Array.from({ length: 400 }, () => "sort=id").join("&");
      check(await send(`${route} 400 sorts`, `${path}?${many}`), true);
    }
  }, 120_000);

  test("in a path", async () => {
    for (const route of Object.keys(operations)) {
      const [method = "", path = ""] = route.split(" ");
      if (!path.includes(":")) continue;
      const { id } = path.includes(":file") ? await recordOf(route as OperationName) : { id: 0 }; // a key of the table
      for (const [length, text] of [300, 3000, 9000].flatMap((n) => [
        [n, noise(n)] as const,
        [n, "9".repeat(n)] as const,
      ])) {
        const address = path.includes(":file")
          ? path.replace(":id", String(id)).replace(":file", text)
          : path.replace(":id", text);
        const init =
          method === "GET"
            ? {}
            : method === "DELETE"
              ? { method }
              : json(method as "POST" | "PATCH", method === "POST" ? {} : []);
        check(await send(`${route} ${length}`, address, init), true);
      }
    }
  }, 120_000);

  test("in a JSON body", async () => {
    for (const route of jsonRoutes) {
      const { body } = operations[route];
      if (typeof body !== "object" || !("json" in body)) continue;
      const record = await recordOf(route);
      const whole = await bodyOf(route, record);
      const given = z.record(z.string(), z.unknown()).safeParse(whole).data ?? {};
      const known = body.json instanceof z.ZodObject ? Object.keys(body.json.shape) : [];
      for (const length of lengths)
        for (const prefix of longerThanAddresses.includes(length) ? ["", "http://x/"] : [""]) {
          const text = prefix + noise(length);
          check(await send(`${route} ${length}`, addressOf(route, record), json("POST", text)), true);
          for (const name of new Set([...known, ...Object.keys(given)])) {
            const answer = await send(
              `${route} ${name} ${length}`,
              addressOf(route, record),
              json("POST", { ...given, [name]: text }),
            );
            // Ignored members are limited only by the size of the body.
            const read = ["name", "publicationUri", "serverAddress", "lifetime", "user", "repository"].concat(
              route === "POST /package-maintainers" ? "packageName" : [],
            );
            check(answer, read.includes(name));
          }
        }
    }
  }, 120_000);

  test("in a patch", async () => {
    for (const route of patchRoutes) {
      const { answer } = operations[route];
      if (answer === "nothing" || !("data" in answer)) continue;
      const pointers = pointersOf(answer.data);
      expect(pointers.length).toBeGreaterThan(3);
      const address = addressOf(route, await recordOf(route));
      for (const length of lengths) {
        for (const pointer of length === 3000 ? pointers : [])
          for (const prefix of isLong ? ["", "http://x/"] : [""])
            check(
              await send(
                `${route} ${pointer} ${length}`,
                address,
                json("PATCH", [replace(pointer, prefix + noise(length))]),
              ),
              false,
            );
        for (const stored of [
          "/name",
          "/publicationUri",
          "/serverAddress",
          "/packageName",
          "/language",
          "/theme",
          "/state",
        ])
          if (pointers.includes(stored) && !/packages|\/users/.test(route))
            check(
              await send(`${route} ${stored} ${length}`, address, json("PATCH", [replace(stored, noise(length))])),
              true,
            );
        check(await send(`${route} path ${length}`, address, json("PATCH", [replace(`/${noise(length)}`, 1)])), true);
        check(
          await send(
            `${route} from ${length}`,
            address,
            json("PATCH", [{ op: "copy", path: "/x", from: `/${noise(length)}` }]),
          ),
          true,
        );
        check(
          await send(`${route} op ${length}`, address, json("PATCH", [{ op: noise(length), path: "/name" }])),
          true,
        );
      }
    }
  }, 240_000);

  test("in an upload", async () => {
    const file = await smallRPackage("harbor", "1.0");
    const repository = await matrix.it.given.repository("R");
    for (const route of ["POST /r/submissions", "POST /python/submissions"] as const) {
      const { body } = operations[route];
      const names = typeof body === "object" && "form" in body ? Object.keys(body.form.shape) : [];
      const post = (what: string, fill: (form: FormData) => void, query = "") => {
        const form = new FormData();
        fill(form);
        return send(`${route} ${what}`, `${addressOf(route, { id: 0 })}${query}`, { method: "POST", body: form });
      };
      const part = (form: FormData, name = file.fileName, type = file.type) =>
        form.append("file", new Blob([new Uint8Array(file.bytes)], { type }), name);
      for (const length of [256, 3000, 20_001, 500_000]) {
        for (const name of names) {
          const answer = await post(`${name} ${length}`, (form) => {
            if (name !== "repository") form.append("repository", repository.name);
            form.append(name, noise(length));
            part(form);
          });
          check(answer, name !== "changes" || length > 20_000);
        }
        const parts = (repository: string, more: (form: FormData) => void) => (form: FormData) => {
          form.append("repository", repository);
          more(form);
        };
        const named = parts(repository.name, (form) => part(form, `${noise(length)}_1.0.tar.gz`));
        check(await post(`file name ${length}`, named), true);
        const withField = parts("nowhere", (form) => {
          form.append(noise(length), "1");
          part(form);
        });
        check(await post(`field name ${length}`, withField), true);
        const typed = parts("nowhere", (form) => part(form, file.fileName, `application/${noise(length)}`));
        check(await post(`media type ${length}`, typed), true);
      }
      for (const name of names) check(await post(`?${name}`, (form) => part(form), `?${name}=${noise(9000)}`), true);
    }
  }, 120_000);

  test("that names a package", async () => {
    const repository = await matrix.it.given.repository("R");
    for (const [name, version] of [
      [`a${noise(300).replace(/[^A-Za-z0-9]/g, "a")}`, "1.0"],
      ["harbor", `1.${"1234567890".repeat(30)}`],
      ["harbor", `1.${Array.from({ length: 1500 }, (_, n) => n).join(".")}`],
    ] as const) {
      const answer = await admin.upload("R", await smallRPackage(name, version), { repository: repository.name });
      expect([answer.http, answer.messageCode]).toEqual([422, "error.validation"]);
    }
  });

  test("in a header", async () => {
    const raw = (headers: Record<string, string>) =>
      new Promise<Sent>((done, failed) => {
        const request = httpRequest(`${matrix.it.address}${apiPrefix}/packages`, { headers }, (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("end", () =>
            done({
              what: Object.keys(headers).join(),
              status: response.statusCode ?? 0,
              text: Buffer.concat(parts).toString(),
            }),
          );
        });
        request.on("error", failed);
        request.end();
      });
    const { authorization } = admin;
    for (const length of [3000, 12_000]) {
      for (const name of [
        "accept",
        "user-agent",
        "traceparent",
        "x-forwarded-for",
        "cookie",
        "origin",
        "referer",
        "if-none-match",
      ])
        check(await raw({ authorization, [name]: noise(length) }), false);
      check(await raw({ authorization: `Bearer ${noise(length)}` }), true);
      check(await raw({ authorization: `Bearer pkh_${noise(length)}` }), true);
      check(await raw({ authorization: `Basic ${Buffer.from(`${noise(length / 2)}:x`).toString("base64")}` }), true);
      check(await raw({ authorization, host: noise(length) }), true);
    }
    const over = await raw({ authorization, "user-agent": noise(20_000) });
    check(over, true);
    expect(over.status).toBe(431);
  });

  test("is refused wherever it is sent", () => {
    expect(wrong).toEqual([]);
    expect(sent).toBeGreaterThan(isLong ? 2000 : 500);
  });

  test("in a sign-in is a failed sign-in", async () => {
    const signIn = (login: string, password: string) =>
      matrix.it.anonymous.request("/login", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ login, password }),
      });
    const failures = async () => (await matrix.it.pool.query("select from sign_in_failures")).rowCount;
    const before = (await failures()) ?? 0;
    for (const [login, password] of [
      [noise(3000), "x"],
      [noise(5000), "x"],
      ["admin", noise(5000)],
    ] as const) {
      const answer = await signIn(login, password);
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ messageCode: "error.user.not.authenticated" });
    }
    expect(await failures()).toBe(before + 3);
    // Bodies larger than any sign-in are not even read.
    const answer = await signIn("admin", noise(400_000));
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ messageCode: "payload.too.large" });
  });
});

/** Sends raw bytes, and returns the answer. */
const exchange = (text: string) =>
  new Promise<string>((done, failed) => {
    const { hostname, port } = new URL(matrix.it.address);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    const parts: Buffer[] = [];
    socket.on("data", (part) => parts.push(part));
    socket.on("close", () => done(Buffer.concat(parts).toString()));
    socket.on("error", failed);
  });

describe("a request that contradicts itself", () => {
  const get = (...headers: string[]) =>
    exchange(`GET ${apiPrefix}/version HTTP/1.1\r\nconnection: close\r\n${headers.join("\r\n")}\r\n\r\n`);

  test.each([
    ["two hosts", ["host: localhost", "host: evil.example"]],
    ["one host twice", ["host: localhost", "Host: localhost"]],
    ["two authorizations", ["host: localhost", "authorization: Basic eDp5", "authorization: Bearer x"]],
    ["two content types", ["host: localhost", "content-type: application/json", "content-type: text/plain"]],
    ["no host", ["accept: */*"]],
    ["two lengths", ["host: localhost", "content-length: 1", "content-length: 2"]],
    ["a length and chunks", ["host: localhost", "content-length: 5", "transfer-encoding: chunked"]],
    ["a blank in the name of a field", ["host : localhost"]],
  ])("by %s is refused in the envelope", async (_name, headers) => {
    const answer = await get(...headers);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    if (!headers.some((header) => header.startsWith("accept"))) expect(answer).toContain('"messageCode":"bad.request"');
  });

  test("and one that does not is answered", async () => {
    expect(await get("host: localhost")).toMatch(/^HTTP\/1\.1 401 /);
  });
});
