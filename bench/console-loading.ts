import { z } from "zod";
import { type AuditedBrowser, auditedBrowser } from "../e2e/lighthouse.ts";
import { provideConsole } from "../scripts/console-build.ts";
import { startProduct } from "../server/testing/product.ts";

const credentials = { login: "user", password: "packhouse-demo" };
/** Points of Lighthouse's performance, from 0 to 100. */
const aims = { desktop: 95, mobile: 85 } as const;

/** How fast the built console is there, as Lighthouse sees it: the sign-in, a list, a package. */
export async function consoleLoading(): Promise<string[]> {
  await provideConsole();
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
  for (const [path, browser] of pages) {
    for (const form of ["desktop", "mobile"] as const) {
      const { points, lost } = await browser.audit(address + path, "performance", form);
      lines.push(`${path} ${form}: ${points} points (aim ${aims[form]}); ${lost.join(", ")}`);
    }
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
