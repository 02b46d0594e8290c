import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";

const deploy = resolve(import.meta.dirname, "../../../deploy");
const rulesPath = resolve(deploy, "prometheus/alerts.yaml");
const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;
if (!hasPromtool) process.stdout.write("The alert rules are not read by promtool: it is not on this machine.\n");

/** Names of the series that the server exports. */
let exported: Set<string>;
let it: TestPackhouse;
beforeAll(async () => {
  it = await startPackhouse();
  const admin = await it.as(it.admin);
  const text = await (await admin.request("/actuator/prometheus")).text();
  exported = new Set();
  for (const [, name = "", type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm))
    for (const suffix of type === "histogram" || type === "summary" ? ["_bucket", "_sum", "_count"] : [""])
      exported.add(name + suffix);
});
afterAll(() => it.close());

const keywords = new Set(["by", "without", "on", "ignoring", "and", "or", "unless", "bool", "offset"]);

/** Names of metrics in an expression: what is neither a function, a keyword, a label nor a text. */
function metricsOf(expression: string): string[] {
  const plain = expression
    .replace(/\{(?:"(?:\\.|[^"\\])*"|[^}"])*\}/g, "")
    .replace(/"(?:\\.|[^"\\])*"/g, "")
    .replace(/\[[^\]]*\]/g, "")
    .replace(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, "");
  return [...plain.matchAll(/(?<![\w:$.])[a-zA-Z_:][\w:]*(?!\w)(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !keywords.has(name));
}

/** Prometheus's own metrics about each target. */
const own = new Set(["up"]);
const unknownOf = (expressions: readonly string[]) =>
  expressions.flatMap(metricsOf).filter((name) => !exported.has(name) && !own.has(name));

const panel = z.object({
  id: z.int(),
  type: z.enum(["row", "stat", "timeseries"]),
  title: z.string().min(1),
  gridPos: z.object({ x: z.int().min(0), y: z.int().min(0), w: z.int().min(1), h: z.int().min(1) }),
  targets: z
    .array(z.object({ expr: z.string(), refId: z.string(), datasource: z.object({ type: z.literal("prometheus") }) }))
    .optional(),
});
const dashboard = z.object({
  title: z.string(),
  uid: z.string(),
  schemaVersion: z.int().min(36),
  templating: z.object({ list: z.array(z.object({ name: z.string(), type: z.string() })) }),
  panels: z.array(panel),
});
const alerts = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string(),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[smh]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(["critical", "warning"]) }),
          annotations: z.strictObject({ summary: z.string() }),
        }),
      ),
    }),
  ),
});

test("metric names are found in expressions", () => {
  expect(metricsOf('sum by (le, name) (rate(one_total{job="$job",route=~"/a{2}"}[5m])) / two_count > 0.5')).toEqual([
    "one_total",
    "two_count",
  ]);
  expect(unknownOf(["rate(packhouse_no_such_total[5m]) > 0"])).toEqual(["packhouse_no_such_total"]);
});

describe("the example dashboard", () => {
  const { panels, templating } = dashboard.parse(
    JSON.parse(readFileSync(resolve(deploy, "grafana/packhouse.json"), "utf8")),
  );

  test("uses only metrics that the server exports, in every panel", () => {
    const shown = panels.filter(({ type }) => type !== "row");
    expect(shown.length).toBeGreaterThan(15);
    for (const { title, targets = [] } of shown) {
      expect([title, targets.length > 0]).toEqual([title, true]);
      expect([title, unknownOf(targets.map(({ expr }) => expr))]).toEqual([title, []]);
    }
  });

  test("uses no variable that it does not have", () => {
    const names = new Set([...templating.list.map(({ name }) => name), "__rate_interval", "__range"]);
    const used = panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => [...expr.matchAll(/\$(\w+)/g)]));
    expect(used.map(([, name = ""]) => name).filter((name) => !names.has(name))).toEqual([]);
  });

  test("has panels with unique ids that do not overlap", () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24);
  });
});

describe("the example alerts", () => {
  test("use only metrics that the server exports", () => {
    const { groups } = alerts.parse(parseYaml(readFileSync(rulesPath, "utf8")));
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.length).toBeGreaterThan(5);
    for (const { alert, expr } of rules) expect([alert, unknownOf([expr])]).toEqual([alert, []]);
  });

  test.runIf(hasPromtool)("are rules that Prometheus accepts", () => {
    const { status, stdout, stderr } = spawnSync("promtool", ["check", "rules", rulesPath], { encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("rules found");
  });

  test.runIf(hasPromtool)("and the metrics themselves are well-formed for Prometheus", async () => {
    const admin = await it.as(it.admin);
    const input = await (await admin.request("/actuator/prometheus")).text();
    const { status, stderr } = spawnSync("promtool", ["check", "metrics"], { input, encoding: "utf8" });
    // The client library's own names for Node metrics are not ours to change.
    const complaints = stderr.split("\n").filter((line) => line.startsWith("packhouse_"));
    expect(complaints).toEqual([]);
    expect(status).not.toBe(1);
  });
});
