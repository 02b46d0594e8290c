import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiUser, type Product, signIn, startProduct } from "@packhouse/server/testing/product";
import { type SmallPackage, smallRPackage, smallWheel } from "@packhouse/server/testing/small-packages";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pip, r } from "../programs.ts";

let product: Product;
let administrator: ApiUser;
let scratch: string;
let counter = 0;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "packhouse-odd-versions-"));
  product = await startProduct({ environment: { PACKHOUSE_ADMIN_PASSWORD: "administrator's password" } });
  administrator = await signIn(product, "admin", "administrator's password");
}, 180_000);

afterAll(async () => {
  await product?.stop();
  await rm(scratch, { recursive: true, force: true });
});

describe("pip", () => {
  /** A repository with these wheels; what pip downloads of a requirement from it, or why it does not. */
  async function repositoryOf(...wheels: SmallPackage[]) {
    counter += 1;
    const name = `odd-${counter}`;
    await administrator.createRepository("Python", name);
    for (const wheel of wheels) await administrator.upload("Python", name, wheel);
    return async (...parameters: string[]): Promise<string> => {
      const folder = await mkdtemp(join(scratch, "downloads-"));
      const index = ["--index-url", `${product.address}/repo/${name}/simple/`];
      try {
        await pip("download", "--no-deps", "--dest", folder, ...index, ...parameters);
      } catch (error) {
        return /No matching distribution found for .*/.exec(String(error))?.[0] ?? String(error);
      }
      return (await readdir(folder)).join(" ");
    };
  }

  test("gets a local version and an epoch by their pins, and prefers the local version for the public one", async () => {
    const download = await repositoryOf(
      await smallWheel("pierlight", "2.0"),
      await smallWheel("pierlight", "2.0+ubuntu.1"),
      await smallWheel("pierlight", "1!1.0"),
    );
    const [local, epoch] = ["pierlight-2.0+ubuntu.1-py3-none-any.whl", "pierlight-1!1.0-py3-none-any.whl"];
    expect(await download("pierlight==2.0+ubuntu.1")).toBe(local);
    expect(await download("pierlight==2.0")).toBe(local);
    expect(await download("pierlight==1!1.0")).toBe(epoch);
    expect(await download("pierlight")).toBe(epoch);
  }, 120_000);

  test("passes pre-releases over while there is a release but for --pre or a pin, and lists them where there are only such", async () => {
    const mixed = await repositoryOf(await smallWheel("gale", "1.0"), await smallWheel("gale", "2.0rc1"));
    expect(await mixed("gale")).toBe("gale-1.0-py3-none-any.whl");
    expect(await mixed("--pre", "gale")).toBe("gale-2.0rc1-py3-none-any.whl");
    expect(await mixed("gale==2.0rc1")).toBe("gale-2.0rc1-py3-none-any.whl");
    const only = await repositoryOf(await smallWheel("squall", "0.1a1"), await smallWheel("squall", "0.1b2"));
    expect(await only("squall")).toBe("squall-0.1b2-py3-none-any.whl");
    expect(await only("squall>=0.1")).toMatch(/^No matching distribution found/);
    expect(await only("--pre", "squall")).toBe("squall-0.1b2-py3-none-any.whl");
    expect(await only("squall==0.1a1")).toBe("squall-0.1a1-py3-none-any.whl");
  }, 120_000);

  test("heeds Requires-Python with < and >, and passes over an invalid one", async () => {
    const download = await repositoryOf(
      await smallWheel("ebb", "1.0", { "Requires-Python": ">=3.6,<99" }),
      await smallWheel("ebb", "2.0", { "Requires-Python": ">99" }),
      await smallWheel("neap", "1.0", { "Requires-Python": "three <or> so" }),
    );
    expect(await download("ebb")).toBe("ebb-1.0-py3-none-any.whl");
    expect(await download("neap")).toBe("neap-1.0-py3-none-any.whl");
  }, 120_000);
});

describe("R", () => {
  const remove = async (id: number) => {
    await administrator.call("PATCH", `/r/packages/${id}`, [{ op: "replace", path: "/deleted", value: true }]);
    await administrator.call("DELETE", `/r/packages/${id}`);
  };

  test("sees no packages and no warning where the last one was removed", async () => {
    await administrator.createRepository("R", "emptied");
    const { packageBag } = await administrator.upload("R", "emptied", await smallRPackage("tidepool", "1.0"));
    const available = () => r(`cat(rownames(available.packages(repos = "${product.address}/repo/emptied")))`);
    expect((await available()).stdout).toBe("tidepool");
    await remove(packageBag.id);
    expect(await available()).toMatchObject({ stdout: "", stderr: "" });
  }, 120_000);

  test("installs the newest of 0.9, 0.10 and 0.10-1 from a repository with a blank in its name, which lists a license that is not ASCII", async () => {
    await administrator.createRepository("R", "north sea");
    const license = { Encoding: "UTF-8", License: "GPL-3 | file LIZENZ-Größe" };
    for (const file of [
      await smallRPackage("tidepool", "0.9"),
      await smallRPackage("tidepool", "0.10-1"),
      await smallRPackage("tidepool", "0.10"),
      await smallRPackage("bathometer", "1.0", license),
    ])
      await administrator.upload("R", "north sea", file);
    const library = await mkdtemp(join(scratch, "library-"));
    const { stdout } = await r(
      `
      repos <- "${product.address}/repo/north%20sea"
      # R names a file of its cache by the address, and takes one that is encoded already for a path of folders.
      available <- available.packages(repos = repos, ignore_repo_cache = TRUE)
      license <- available["bathometer", "License"]
      install.packages("tidepool", lib = "${library}", repos = repos, available = available, type = "source", quiet = TRUE)
      cat(available["tidepool", "Version"], Encoding(license), enc2utf8(license), sep = "|")
      cat("|", as.character(packageVersion("tidepool", lib.loc = "${library}")), sep = "")`,
      { LC_ALL: "C.UTF-8" },
    );
    expect(stdout).toBe("0.10-1|UTF-8|GPL-3 | file LIZENZ-Größe|0.10.1");
  }, 120_000);
});
