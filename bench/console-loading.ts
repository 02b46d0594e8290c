import { z } from "zod";
import { type AuditedBrowser, auditedBrowser } from "../e2e/lighthouse.ts";
import { startProduct } from "../server/testing/product.ts";
import { quantile } from "./organization.ts";

const credentials = { login: "user", password: "packhouse-demo" };
/** Points of Lighthouse's performance, from 0 to 100. */
const aims = { desktop: 95, mobile: 85 } as const;

/** With a slowdown of 4, the same page has 10 points more or less within minutes. */
const rounds = 7;

/** What Lighthouse's slowdown of 4 is meant for: the middle of what it calls high-end desktops. */
const benchmarkIndexOf4 = 1750;

/**
 * How fast the built console is there, as Lighthouse sees it: the sign-in, a list, a package. The phone is the same one
 * on every machine: its slowdown is fitted to what this machine can do, as Lighthouse's manual asks for
 * (`docs/throttling.md`, "Calibrating the CPU slowdown").
 */
export async function consoleLoading(): Promise<string[]> {
  await using product = await startProduct({ demo: true });
  const { address } = product;
  await using stranger = await auditedBrowser();
  await using member = await auditedBrowser({ address, ...credentials });
  const lines: string[] = [];
  const pages: [path: string, browser: AuditedBrowser][] = [
    ["/login", stranger],
    ["/packages", member],
    [await addressOfPackage(address), member],
  ];
  const indexes: number[] = [];
  for (const [path, browser] of pages) {
    const { points, lost, benchmarkIndex } = await browser.audit(address + path, "performance", "desktop");
    indexes.push(benchmarkIndex);
    lines.push([`${path} desktop: ${points} points (aim ${aims.desktop})`, ...lost].join(", "));
  }
  const benchmarkIndex = indexes.reduce((sum, index) => sum + index, 0) / indexes.length;
  const slowdown = (4 * benchmarkIndex) / benchmarkIndexOf4;
  for (const [path, browser] of pages) {
    const { points, lost } = await browser.audit(address + path, "performance", "mobile", slowdown);
    const unfitted: number[] = [];
    for (let round = 0; round < rounds; round += 1)
      unfitted.push((await browser.audit(address + path, "performance", "mobile")).points);
    const fitted = `slowdown ${slowdown.toFixed(1)}, benchmark index ${benchmarkIndex.toFixed(0)}`;
    lines.push(
      [
        `${path} mobile (${fitted}): ${points} points (aim ${aims.mobile}); ${quantile(unfitted, 0.5)} with a slowdown of 4 (${unfitted.toSorted((a, b) => a - b).join(", ")})`,
        ...lost,
      ].join(", "),
    );
  }
  return lines;
}

const session = z.object({ data: z.object({ token: z.string() }) });
const packages = z.object({
  data: z.object({ content: z.array(z.object({ id: z.number(), technology: z.string() })) }),
});

async function addressOfPackage(address: string): Promise<string> {
  const answer = await fetch(`${address}/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(credentials),
  });
  const { token } = session.parse(await answer.json()).data;
  const found = await fetch(`${address}/api/v2/manager/packages?size=1&technology=Python`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const [one] = packages.parse(await found.json()).data.content;
  if (!one) throw new Error("the demo has no package");
  return `/packages/${one.technology}/${one.id}`;
}
