import { readFileSync } from "node:fs";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type OtherServer, startOtherServer } from "@packhouse/server/testing/other-server/other-server";
import { freePort } from "@packhouse/server/testing/product";
import { startNginx } from "@packhouse/server/testing/servers/nginx";

const project = resolve(import.meta.dirname, "../..");

/** The built console in a folder that nginx serves, and behind it another server with the API. */
export interface ConsoleElsewhere extends AsyncDisposable {
  /** Where nginx serves the console. */
  address: string;
  other: OtherServer;
}

/** Serves the console as the manual says, with nothing of ours but the files and a `configuration.json`. */
export async function serveConsoleElsewhere(product: string): Promise<ConsoleElsewhere> {
  const other = await startOtherServer(product);
  const folder = await mkdtemp(join(tmpdir(), "packhouse-console-"));
  await cp(join(project, "console/dist"), folder, { recursive: true });
  const configuration = { serverAddress: other.address, undoSeconds: 2 };
  await writeFile(join(folder, "configuration.json"), JSON.stringify(configuration));
  const port = await freePort();
  const nginx = await startNginx(port, nginxConfiguration(port, folder));
  return {
    address: nginx.address,
    other,
    async [Symbol.asyncDispose]() {
      await nginx.stop();
      await other.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The configuration from the manual, with the port and the folder of this run. */
function nginxConfiguration(port: number, folder: string): string {
  const manual = readFileSync(join(project, "docs/other-server.md"), "utf8");
  const [, text] = /```nginx\n([\s\S]*?)```/.exec(manual) ?? [];
  if (!text) throw new Error("the manual has no configuration of nginx");
  const here = text.replace("127.0.0.1:8080", `127.0.0.1:${port}`).replace("/srv/packhouse-console", folder);
  return `include /etc/nginx/mime.types;\n${here}`;
}
