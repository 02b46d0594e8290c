import { isLong } from "@packhouse/fixtures/long-form";
import { sql } from "kysely";
import { describe, expect, test, vi } from "vitest";
import { repositoryServer } from "../../publish/copies/push/repository-server.ts";
import { declarationFolder } from "../../testing/declared.ts";
import { startPackhouse } from "../../testing/packhouse.ts";
import { startTraceCollector } from "../../testing/servers/trace-collector.ts";
import { startUpstream } from "../../testing/servers/upstream-server.ts";
import { smallRPackage } from "../../testing/small-packages.ts";
import { createLog } from "./log.ts";
import { beginTrace } from "./trace.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

/** A log whose lines can be looked at. */
function keptLog() {
  const lines: Record<string, unknown>[] = [];
  const log = createLog("debug", { write: (line) => lines.push(JSON.parse(line)) });
  return { log, lines, withText: (text: string) => lines.filter(({ msg }) => msg === text) };
}

describe("the trace of a request", () => {
  test("is the caller's, or a new one; the answer and each log line name it", async () => {
    const kept = keptLog();
    await using it = await startPackhouse({ log: kept.log, settings: { "log.requests": true } });
    const admin = await it.as(it.admin);

    const answer = await admin.request("/api/v2/manager/packages?search=secret-words&size=3", {
      headers: { traceparent },
    });
    expect(answer.headers.get("x-trace-id")).toBe(traceId);
    await answer.arrayBuffer();
    const without = await it.anonymous.request("/repo/no-such-repository/src/contrib/PACKAGES");
    const own = without.headers.get("x-trace-id") ?? "";
    expect(own).toMatch(/^[0-9a-f]{32}$/);
    expect(own).not.toBe(traceId);
    await vi.waitUntil(() => kept.withText("request").length > 1, { timeout: 30_000 });
    expect(kept.withText("request")).toMatchObject([
      {
        traceId,
        method: "GET",
        route: "/api/v2/manager/packages",
        status: 200,
        user: it.admin.id,
        ms: expect.any(Number),
        bytes: expect.any(Number),
      },
      { traceId: own, method: "GET", route: "/repo/*", status: 404 },
    ]);
    const text = JSON.stringify(kept.lines);
    expect(text).not.toContain("secret-words");
    expect(text).not.toContain("pkh_");
  });

  test("is a new one where the caller's cannot be read", async () => {
    await using it = await startPackhouse();
    const answer = await it.anonymous.request("/actuator/health", { headers: { traceparent: `${traceparent}-more` } });
    expect(answer.headers.get("x-trace-id")).toMatch(/^[0-9a-f]{32}$/);
    expect(answer.headers.get("x-trace-id")).not.toBe(traceId);
  });

  test("is in the answer to a failure and in its log line, also after a body", async () => {
    const kept = keptLog();
    await using it = await startPackhouse({ log: kept.log });
    const session = await it.bySession(it.admin);
    await sql`alter table access_tokens rename to lost`.execute(it.deps.db);
    const answer = await session.request("/api/v2/manager/access-tokens", {
      method: "POST",
      headers: { traceparent, "content-type": "application/json" },
      body: JSON.stringify({ name: "any", lifetime: "30" }),
    });
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ data: { traceId } });
    expect(kept.withText("request failed")).toMatchObject([{ traceId }]);
    await sql`alter table lost rename to access_tokens`.execute(it.deps.db);
  });

  test("continues in the render that it causes", async () => {
    const kept = keptLog();
    await using it = await startPackhouse({ log: kept.log });
    const admin = await it.as(it.admin);
    const { name: repository } = await it.given.repository("R");
    const { fileName, bytes, type } = await smallRPackage("traced", "1.0");
    const form = new FormData();
    form.append("repository", repository);
    form.append("file", new Blob([new Uint8Array(bytes)], { type }), fileName);
    const answer = await admin.request("/api/v2/manager/r/submissions", {
      method: "POST",
      headers: { traceparent },
      body: form,
    });
    expect(answer.status).toBe(201);
    const rendered = kept.withText("rendered").filter((line) => {
      return line.traceId === traceId || (Array.isArray(line.alsoFor) && line.alsoFor.includes(traceId));
    });
    expect(rendered).toMatchObject([{ repository, parts: expect.any(Number) }]);
  });

  test("is passed on to other servers: mirrors and push targets", async () => {
    await using upstream = await startUpstream();
    await using folder = await declarationFolder();
    upstream.putRPackages([await smallRPackage("mirrored", "1.0")]);
    await folder.declare("north", { technology: "R", mirrors: [{ name: "upstream", uri: upstream.address }] });
    await using it = await startPackhouse({
      settings: { "declarative.paths": [folder.path], "mirrors.allowPrivateAddresses": true },
    });
    const { id } = await it.deps.db.selectFrom("repositories").select("id").executeTakeFirstOrThrow();
    const admin = await it.as(it.admin);
    await admin.request(`/api/v2/manager/r/repositories/${id}/synchronize-mirrors`, {
      method: "POST",
      headers: { traceparent },
    });
    const seen: (string | string[] | undefined)[] = [];
    await vi.waitFor(
      () => {
        seen.push(...upstream.takeRequests().map(({ headers }) => headers.traceparent));
        expect(seen.length).toBeGreaterThanOrEqual(2);
      },
      { timeout: 15_000, interval: 100 },
    );
    for (const header of seen) expect(header).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));

    upstream.put("/r/pushed/", "[]");
    const parent = { traceId, spanId: "00f067aa0ba902b7", sampled: true };
    const { run } = beginTrace(undefined, { name: "a push", kind: "internal", attributes: {}, parent });
    expect(await run(() => repositoryServer(`${upstream.address}/r/pushed/`).list())).toEqual([]);
    expect(upstream.takeRequests().at(-1)?.headers.traceparent).toBe(traceparent);
  });
});

describe("OpenTelemetry", () => {
  test("has spans of requests, statements, the storage and jobs, in the caller's trace", async () => {
    await using collector = await startTraceCollector();
    await using it = await startPackhouse({ settings: { "telemetry.endpoint": collector.address } });
    const admin = await it.as(it.admin);
    const { id, name: repository } = await it.given.repository("R");
    // Its render and its job belong to another trace. Changes share a job that still waits, and one that runs would
    // render the note below.
    await it.deps.publication.whenServed([id]);
    const unfinished = "select from jobs.job where name = 'publish-repository' and state < 'completed'";
    await vi.waitUntil(async () => (await it.pool.query(unfinished)).rows.length === 0, { timeout: 30_000 });
    // Otherwise the upload renders in its own transaction, and has no job.
    await it.deps.db.transaction().execute((tx) => it.deps.publication.note(tx, id, "everything"));
    const { fileName, bytes, type } = await smallRPackage("traced", "1.0", { Title: "A title of its own" });
    const form = new FormData();
    form.append("repository", repository);
    form.append("file", new Blob([new Uint8Array(bytes)], { type }), fileName);
    const answer = await admin.request("/api/v2/manager/r/submissions", {
      method: "POST",
      headers: { traceparent },
      body: form,
    });
    expect(answer.status).toBe(201);

    const request = await collector.received((span) => span.name === "POST /api/v2/manager/r/submissions");
    expect(request).toMatchObject({
      traceId,
      parentSpanId: "00f067aa0ba902b7",
      attributes: { "http.route": "/api/v2/manager/r/submissions", "http.response.status_code": 201 },
    });
    const job = await collector.received((span) => span.name === "job publish-repository" && span.traceId === traceId);
    const ofTrace = collector.spans.filter((span) => span.traceId === traceId);
    const ids = new Set(ofTrace.map(({ spanId }) => spanId));
    for (const span of ofTrace)
      if (span !== request) expect([span.name, ids.has(span.parentSpanId ?? "")]).toEqual([span.name, true]);
    expect(ofTrace.filter(({ parentSpanId }) => parentSpanId === job.spanId).length).toBeGreaterThan(3);
    const names = new Set(ofTrace.map(({ name }) => name));
    for (const name of ["SELECT", "INSERT", "storage stage", "storage keep"]) expect(names).toContain(name);
    const insert = ofTrace.find((span) => String(span.attributes["db.query.text"]).includes('insert into "packages"'));
    expect(insert?.attributes["db.query.text"]).toMatch(/\$1/);
    expect(JSON.stringify(collector.spans)).not.toContain("A title of its own");
    expect(collector.resources[0]).toMatchObject({ "service.name": "packhouse" });
  });

  test("records failures, and leaves out what its caller does not record", async () => {
    await using collector = await startTraceCollector();
    await using it = await startPackhouse({ settings: { "telemetry.endpoint": collector.address } });
    const session = await it.bySession(it.admin);
    await sql`alter table access_tokens rename to lost`.execute(it.deps.db);
    const unrecorded = "11111111111111111111111111111111";
    await session.request("/api/v2/manager/access-tokens", {
      headers: { traceparent: `00-${unrecorded}-00f067aa0ba902b7-00` },
    });
    await session.request("/api/v2/manager/access-tokens", { headers: { traceparent } });
    const request = await collector.received(
      (span) => span.name === "GET /api/v2/manager/access-tokens" && span.traceId === traceId,
    );
    expect(request.status.code).toBe(2);
    const statement = await collector.received((span) => span.name === "SELECT" && span.status.code === 2);
    expect(statement.status.message).toContain("does not exist");
    expect(collector.spans.filter((span) => span.traceId === unrecorded)).toEqual([]);
  });

  test.runIf(isLong)("delays nothing while there is no collector", async () => {
    const began = performance.now();
    const it = await startPackhouse({ settings: { "telemetry.endpoint": "http://127.0.0.1:9" } });
    expect((await it.anonymous.request("/actuator/health")).status).toBe(200);
    await it.close();
    expect(performance.now() - began).toBeLessThan(15_000);
  });
});
