import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { isLong } from "@packhouse/fixtures/long-form";
import { type ApiUser, type Product, signIn, startProduct } from "@packhouse/server/testing/product";
import { smallRPackage } from "@packhouse/server/testing/small-packages";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { r } from "./programs.ts";
import { agent, buildWithR, ownR } from "./r-builds.ts";
import { proves, replays } from "./results-table.ts";

let product: Product;
let administrator: ApiUser;
let scratch: string;
/** The R of this machine. */
let here: { rVersion: string; architecture: string };

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "packhouse-binaries-"));
  here = await ownR();
  product = await startProduct({
    environment: {
      PACKHOUSE_ADMIN_PASSWORD: "administrator's password",
      PACKHOUSE_R_VERSIONS: here.rVersion,
      PACKHOUSE_R_ARCHITECTURES: here.architecture,
    },
  });
  administrator = await signIn(product, "admin", "administrator's password");
}, 180_000);

afterAll(async () => {
  await product?.stop();
  await rm(scratch, { recursive: true, force: true });
});

const build = (name: string, version: string, compiled: boolean) => buildWithR(scratch, name, version, compiled);

/** Installs from the sources, or as the console says for binaries; returns what was installed, and whether it was a binary. */
async function install(repository: string, name: string, from: "sources" | "binaries") {
  const library = await mkdtemp(join(scratch, "library-"));
  const address = `${product.address}/repo/${repository}`;
  const { stdout, stderr } = await r(
    from === "sources"
      ? `install.packages("${name}", lib = "${library}", repos = "${address}")
         cat(as.character(packageVersion("${name}", "${library}")), loadNamespace("${name}", lib.loc = "${library}")$tide())`
      : `${agent}
         install.packages("${name}", lib = "${library}", repos = c(b = "${address}/linux/bookworm", s = "${address}"),
           headers = c("User-Agent" = getOption("HTTPUserAgent")))
         cat(as.character(packageVersion("${name}", "${library}")), loadNamespace("${name}", lib.loc = "${library}")$tide())`,
  );
  const [, how] = /installing \*(binary|source)\* package/.exec(stdout + stderr) ?? [];
  return { how, said: stdout.trim().split("\n").at(-1) };
}

describe("R for Linux", () => {
  test.runIf(isLong)(
    "installs the binary for its version and processor, and builds the source where there is none",
    proves(["R", "binaries"]),
    async () => {
      await administrator.createRepository("R", "binaries");
      const target = { ...here, binary: "true", distribution: "bookworm" };
      const compiled = await build("tidepool", "1.0", true);
      const pure = await build("driftwood", "2.1", false);
      for (const { source, binary } of [compiled, pure]) {
        await administrator.upload("R", "binaries", source);
        await administrator.upload("R", "binaries", binary, target);
      }
      const newer = await build("driftwood", "2.2", false);
      await administrator.upload("R", "binaries", newer.source);

      expect(await install("binaries", "tidepool", "binaries")).toEqual({ how: "binary", said: "1.0 42" });
      // Both addresses are asked, and R takes the newer one.
      expect(await install("binaries", "driftwood", "binaries")).toEqual({ how: "source", said: "2.2 42" });
      expect(await install("binaries", "tidepool", "sources")).toEqual({ how: "source", said: "1.0 42" });
    },
  );

  test.runIf(isLong)(
    "takes newer sources from the address of the binaries when the repository redirects to them",
    proves(["R", "binaries"]),
    async () => {
      await administrator.createRepository("R", "redirecting", { redirectToSource: true });
      const target = { ...here, binary: "true", distribution: "bookworm" };
      const { source, binary } = await build("tidepool", "1.0", false);
      await administrator.upload("R", "redirecting", binary, target);
      const newer = await build("tidepool", "1.1", false);
      await administrator.upload("R", "redirecting", newer.source);
      const only = await build("driftwood", "0.1", false);
      await administrator.upload("R", "redirecting", only.source);
      await administrator.upload("R", "redirecting", source);
      const library = await mkdtemp(join(scratch, "library-"));
      const { stdout } = await r(`
      ${agent}
      repos <- "${product.address}/repo/redirecting/linux/bookworm"
      available <- available.packages(repos = repos)
      cat(paste(available[, "Package"], available[, "Version"]), sep = " ")
      install.packages(c("tidepool", "driftwood"), lib = "${library}", repos = repos, quiet = TRUE)
      cat(" installed", nrow(installed.packages(lib.loc = "${library}")))`);
      expect(stdout).toBe("driftwood 0.1 tidepool 1.1 installed 2");
    },
  );
});

/** How renv and pak ask for binaries: with an agent that says which R they run in, at either spelling of the address. */
for (const [client, prefix, address] of [
  ["renv", "renv (1.0.0); ", "__linux__/bookworm/latest"],
  ["pak", "", "linux/bookworm"],
] as const)
  test(
    `${client} for Linux is given the binary for its version and processor`,
    replays([client, "binaries"]),
    async () => {
      const repository = `replayed-${client}`;
      await administrator.createRepository("R", repository);
      const built = { Built: `R ${here.rVersion}.0; ; 2026-01-02 03:04:05 UTC; unix` };
      const [source, binary] = [await smallRPackage("gull", "1.0"), await smallRPackage("gull", "1.0", built)];
      const target = { ...here, binary: "true", distribution: "bookworm" };
      await administrator.upload("R", repository, source);
      await administrator.upload("R", repository, binary, target);

      const ask = async (path: string, agent: string): Promise<Buffer> => {
        const answer = await fetch(`${product.address}/repo/${repository}/${address}/src/contrib/${path}`, {
          headers: { "user-agent": agent },
        });
        expect(answer.status).toBe(200);
        return Buffer.from(await answer.arrayBuffer());
      };
      const says = (version: string) => `${prefix}R (${version}.0 x86_64-pc-linux-gnu ${here.architecture} linux-gnu)`;
      expect(gunzipSync(await ask("PACKAGES.gz", says(here.rVersion))).toString()).toContain("Built: R");
      expect(await ask("gull_1.0.tar.gz", says(here.rVersion))).toEqual(Buffer.from(binary.bytes));
      expect(await ask("gull_1.0.tar.gz", says("2.0"))).toEqual(Buffer.from(source.bytes));
    },
  );
