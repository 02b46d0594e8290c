import { constants } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { z } from "zod";
import { findPdfBuilder } from "../../features/manuals/pdf-manual.ts";
import { boundAddress } from "../../http/addresses.ts";
import { hasCode } from "../../platform/errors/has-code.ts";
import { settingTable } from "../../platform/settings/setting-table.ts";
import { type Settings, variableOf } from "../../platform/settings/settings.ts";
import { type Finding, ok, problem, reasonOf, warning } from "./finding.ts";

const mebibyte = 1024 * 1024;
const scarceMebibytes = 1024;
const tooLittleMebibytes = 100;
const timeoutMs = 5000;

/** Where the settings come from: names, never values. */
export function checkSettings(environment: Record<string, string | undefined>): Finding {
  const variables = Object.keys(settingTable)
    .map(variableOf)
    .filter((name) => environment[name]);
  const file = environment.PACKHOUSE_CONFIG ? `the file ${environment.PACKHOUSE_CONFIG}` : "no file";
  return ok("settings", `from ${file} and ${variables.length === 0 ? "no variable" : variables.join(", ")}`);
}

export async function checkDataFolder({ dataDir }: Settings): Promise<Finding[]> {
  const check = "data folder";
  const folder = resolve(dataDir);
  const found = await stat(folder).catch(() => undefined);
  if (!found)
    return [
      warning(
        check,
        `there is no ${folder} yet`,
        "The first start creates it; make sure that this is the right place.",
      ),
    ];
  const findings: Finding[] = [];
  const writable = await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!writable)
    findings.push(problem(check, `${folder} cannot be written`, "Make the account that runs Packhouse its owner."));
  else if ((found.mode & 0o077) !== 0)
    findings.push(warning(check, `${folder} can be read by accounts other than its owner`, `chmod 700 ${folder}`));
  else findings.push(ok(check, folder));
  const { bavail, bsize } = await statfs(folder);
  const free = Math.floor((bavail * bsize) / mebibyte);
  const seen = `${free} MiB are free`;
  if (free < tooLittleMebibytes) findings.push(problem("free space", seen, "Uploads will fail: free some space."));
  else if (free < scarceMebibytes) findings.push(warning("free space", seen, "Free some space before uploads fail."));
  else findings.push(ok("free space", seen));
  return findings;
}

const health = z.object({ status: z.string() });

/** Whether the server can listen, or does already. */
export async function checkPort({ host, port }: Settings): Promise<Finding> {
  const check = "port";
  const address = boundAddress({ host, port });
  try {
    await new Promise<void>((free, taken) => {
      const server = createServer();
      server.once("error", taken);
      server.listen({ host, port, exclusive: true }, () => server.close(() => free()));
    });
    return ok(check, `${port} is free`);
  } catch (error) {
    if (!hasCode(error, "EADDRINUSE"))
      return problem(check, `cannot listen on ${host}:${port}: ${reasonOf(error)}`, "Change host or port.");
  }
  try {
    // A server behind a gateway may refuse our Host header; its answer still shows that it is one of ours.
    const answer = await fetch(`${address.replace("0.0.0.0", "127.0.0.1")}/actuator/health`, {
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { status } = health.parse(await answer.json());
    return ok(check, `Packhouse is running on port ${port} (${status})`);
  } catch {
    return problem(check, `another program listens on port ${port}`, "Stop it, or set another port.");
  }
}

export async function checkManuals({ generateManuals }: Settings): Promise<Finding> {
  const builder = await findPdfBuilder();
  if ("build" in builder) return ok("PDF manuals", "R, LaTeX and the sandbox work");
  return generateManuals
    ? warning("PDF manuals", builder.missing, "Install it, or set generateManuals to false (docs/manuals.md).")
    : ok("PDF manuals", `switched off (${builder.missing})`);
}
