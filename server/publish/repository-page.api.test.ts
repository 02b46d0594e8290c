import { apiPrefix } from "@packhouse/contract/operation";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPackhouse, type TestPackhouse } from "../testing/packhouse.ts";
import { smallRPackage, smallWheel } from "../testing/small-packages.ts";

const title = `Packages "of" <Ann> & Bo`;
let packhouse: TestPackhouse;
let token: string;
const ids: Record<string, number> = {};

beforeAll(async () => {
  packhouse = await startPackhouse({ settings: { title } });
  const admin = await packhouse.as(packhouse.admin);
  for (const [technology, name, requiresAuthentication] of [
    ["R", "cran", false],
    ["Python", "wheels", false],
    ["R", "cran-private", true],
    ["Python", "wheels-private", true],
  ] as const) {
    ids[name] = (await packhouse.given.repository(technology, { name, published: true, requiresAuthentication })).id;
    const file = technology === "R" ? await smallRPackage("one", "1.0") : await smallWheel("one", "1.0");
    await admin.upload(technology, file, { repository: name });
  }
  await packhouse.given.repository("R", { name: "hidden", published: false });
  const session = await packhouse.bySession(packhouse.admin);
  token = (await session.post("/access-tokens", { name: "page", lifetime: "30" })).data.value;
});
afterAll(() => packhouse.close());

const browsers = {
  chromium: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
  firefox: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
} as const;

/** What package clients send, and the old ones among them. */
const clients: Record<string, Record<string, string>> = {
  "pip 25": {
    accept: "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html; q=0.1, text/html; q=0.01",
  },
  "pip 22.1": { accept: "text/html" },
  uv: { accept: "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.01" },
  "curl, R, renv": { accept: "*/*" },
  "easy_install, R's internal method": {},
  "Java's default": { accept: "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2" },
};

const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(`${packhouse.address}/repo/${path}`, { method, headers, redirect: "manual" });
const open = (path: string, headers: Record<string, string> = {}) =>
  ask(path, { accept: browsers.chromium, ...headers });
const serialOf = async (name: string): Promise<number> =>
  (
    await packhouse.deps.db
      .selectFrom("repositories")
      .select("rendered_serial as serial")
      .where("name", "=", name)
      .executeTakeFirstOrThrow()
  ).serial;

const pages = {
  R: ["cran", "cran/", "cran/src/contrib/", "cran/src/contrib", "cran/src/"],
  Python: ["wheels/"],
} as const;
const everyPage = [...pages.R, ...pages.Python];

describe("a person who opens the address of a repository in a browser", () => {
  test.each(everyPage)("%s reads what it is and how to use it", async (path) => {
    for (const accept of Object.values(browsers)) {
      const answer = await open(path, { accept });
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      const html = await answer.text();
      const name = path.split("/")[0] ?? "";
      const address = `${packhouse.address}/repo/${name}`;
      expect(html).toContain(`<h1>${name}</h1>`);
      if (name === "cran") {
        expect(html).toContain(
          `install.packages(&quot;PACKAGE&quot;, repos = c(\n  packhouse = &quot;${address}&quot;`,
        );
        for (const client of ["renv::install", "pak::pkg_install"]) expect(html).toContain(client);
        expect(html).toContain(`<a href="${packhouse.address}/repositories/R/${ids.cran}">`);
      } else {
        expect(html).toContain(`pip install --index-url &quot;${address}/simple/&quot; PACKAGE`);
        for (const client of ["uv pip install", "[[tool.uv.index]]", "[[tool.poetry.source]]"])
          expect(html).toContain(client);
        expect(html).toContain(`<a href="${packhouse.address}/repositories/Python/${ids.wheels}">`);
      }
    }
  });

  test.each([
    ["cran/linux/jammy", "linux/jammy"],
    ["cran/linux/jammy/src/contrib/", "linux/jammy"],
    ["cran/__linux__/jammy/latest/", "__linux__/jammy/latest"],
  ])("%s reads how to install binaries for a distribution", async (path, below) => {
    const html = await (await open(path)).text();
    expect(html).toContain(`packhouse_binary = &quot;${packhouse.address}/repo/cran/${below}&quot;`);
    expect(html).toContain("options(HTTPUserAgent");
    expect((await ask(path, { accept: "*/*" })).status).toBe(404);
  });

  test("finds nothing at addresses that only look like folders", async () => {
    for (const path of [
      "linux",
      "linux//",
      "linux/a/b",
      "__linux__/jammy",
      "src/contrib/src",
      "src/contrib/Archive/",
      "bin",
    ])
      expect([path, (await open(`cran/${path}`)).status]).toEqual([path, 404]);
  });

  test.each(everyPage)("%s reads it in their language", async (path) => {
    for (const [accepted, language, text] of [
      ["pl-PL,pl;q=0.9,en;q=0.8", "pl", "Jak go używać"],
      ["en-US,en;q=0.9", "en", "How to use it"],
      ["de", "en", "How to use it"],
    ] as const) {
      const answer = await open(path, { "accept-language": accepted });
      expect(answer.headers.get("content-language")).toBe(language);
      const html = await answer.text();
      expect(html).toContain(`<html lang="${language}">`);
      expect(html).toContain(text);
    }
  });

  test.each(everyPage)("%s gets a page that can load and run nothing", async (path) => {
    const answer = await open(path);
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]+=*'; /);
    expect(policy).not.toMatch(/unsafe|script-src|https?:/);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    const html = await answer.text();
    expect(html).not.toMatch(/<script|<img|<form|<iframe| style=| on[a-z]+=/);
    expect(html).toContain("Packages &quot;of&quot; &lt;Ann&gt; &amp; Bo");
    expect(html).not.toContain(title);
  });

  test("caches keep the pages of readers and the index of clients apart", async () => {
    for (const path of everyPage) {
      const english = await open(path);
      expect(english.headers.get("vary")).toBe("Accept, Accept-Language");
      expect(english.headers.get("cache-control")).toBe("no-cache");
      const etag = english.headers.get("etag") ?? "";
      expect((await open(path, { "if-none-match": etag })).status).toBe(304);
      expect((await open(path, { "if-none-match": etag, "accept-language": "pl" })).status).toBe(200);
      const client = await ask(path, { accept: "*/*", "if-none-match": etag });
      expect(client.status).toBe(path === "wheels/" ? 200 : 404);
      expect(client.headers.get("vary")).toMatch(/\bAccept\b/);
      const head = await ask(path, { accept: browsers.chromium }, "HEAD");
      expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, etag, ""]);
    }
  });

  test.each(["cran", "wheels"])("%s: reads at a snapshot how to install from it", async (name) => {
    const serial = await serialOf(name);
    for (const path of name === "cran"
      ? [`cran/@${serial}`, `cran/@${serial}/`, `cran/@${serial}/src/contrib/`]
      : [`wheels/@${serial}/`]) {
      const html = await (await open(path)).text();
      expect(html).toContain(`snapshot ${serial}`);
      expect(html).toContain(`${packhouse.address}/repo/${name}/@${serial}`);
      expect(html).toContain(`<a href="${packhouse.address}/repo/${name}/">`);
    }
    for (const at of ["@0", "@99999", "@2999-01-01"]) {
      const answer = await open(`${name}/${at}/`);
      expect([answer.status, await answer.text()]).toEqual([404, "Not found\n"]);
    }
  });

  test("reads nothing about repositories that are not published or do not exist", async () => {
    for (const name of ["hidden", "nothing"]) {
      const answer = await open(`${name}/`);
      expect([answer.status, await answer.text()]).toEqual([404, "Not found\n"]);
    }
  });

  test.each(["cran-private/", "cran-private/src/contrib/", "wheels-private/"])(
    "%s: has to sign in first, and is shown where credentials go",
    async (path) => {
      for (const authorization of [undefined, "Basic YWRtaW46YWRtaW4=", "Bearer pkh_none"]) {
        const answer = await open(path, authorization ? { authorization } : {});
        expect([answer.status, await answer.text()]).toEqual([
          401,
          "This repository requires a username and an access token\n",
        ]);
        expect(answer.headers.get("www-authenticate")).toBe('Basic realm="Packhouse"');
      }
      const answer = await open(path, { authorization: `Basic ${Buffer.from(`admin:${token}`).toString("base64")}` });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("cache-control")).toBe("private, no-cache");
      expect(answer.headers.get("vary")).toBe("Accept, Accept-Language, Authorization");
      const html = await answer.text();
      expect(html).toContain("http://LOGIN:TOKEN@");
      expect(html).not.toContain(token);
      // Files of projects are shared.
      if (path.startsWith("wheels")) {
        expect(html).toContain(`url = &quot;${packhouse.address}/repo/wheels-private/simple/&quot;`);
        expect(html).toContain("UV_INDEX_WHEELS_PRIVATE_USERNAME, UV_INDEX_WHEELS_PRIVATE_PASSWORD");
      }
    },
  );
});

describe.each(Object.keys(clients))("%s", (client) => {
  const headers = clients[client] ?? {};

  test("gets the index of a Python repository, never the page", async () => {
    for (const path of ["wheels/", "wheels/simple/", "wheels/one/", "wheels/simple/one/"]) {
      const answer = await ask(path, headers);
      expect([path, answer.status, answer.headers.get("vary")]).toEqual([path, 200, "Accept, Accept-Encoding"]);
      expect(await answer.text()).not.toContain("PACKAGE");
    }
  });

  test("finds nothing where an R repository has no file, unless it asks for a page", async () => {
    const asksForPage = headers.accept?.includes("text/html") ?? false;
    for (const path of pages.R)
      expect([path, (await ask(path, headers)).status]).toEqual([path, asksForPage ? 200 : 404]);
    for (const path of ["cran/src/contrib/PACKAGES", "cran/src/contrib/PACKAGES.gz", "cran/src/contrib/one_1.0.tar.gz"])
      expect([path, (await ask(path, headers)).headers.get("content-type")]).toEqual([
        path,
        path.endsWith("PACKAGES") ? "text/plain; charset=utf-8" : "application/gzip",
      ]);
  });
});

test("a browser gets the files and the simple index as clients do", async () => {
  for (const path of [
    "wheels/simple/",
    "wheels/simple/one/",
    "wheels/?format=text/html",
    "cran/src/contrib/PACKAGES",
  ]) {
    const browser = await open(path);
    const client = await ask(path, { accept: "*/*" });
    expect([path, browser.status, await browser.text()]).toEqual([path, 200, await client.text()]);
  }
});

test("a repository's name is escaped wherever the page shows it", async () => {
  const name = `odd'"<b>&$(x)`;
  await packhouse.deps.db.updateTable("repositories").set({ name }).where("name", "=", "cran").execute();
  try {
    const html = await (await open(`${encodeURIComponent(name)}/`)).text();
    expect(html).toContain("<h1>odd&#39;&quot;&lt;b&gt;&amp;$(x)</h1>");
    expect(html).toContain(`${packhouse.address}/repo/odd%27%22%3Cb%3E%26%24%28x%29`);
    expect(html).not.toContain("<b>");
  } finally {
    await packhouse.deps.db.updateTable("repositories").set({ name: "cran" }).where("name", "=", name).execute();
  }
});

test("the links of the page lead somewhere", async () => {
  const html = await (await open("wheels/")).text();
  const targets = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href = ""]) => href);
  expect(targets).toEqual([
    `${packhouse.address}/repositories/Python/${ids.wheels}`,
    `${packhouse.address}/repo/wheels/simple/`,
  ]);
  expect((await fetch(targets[1] ?? "")).status).toBe(200);
  const admin = await packhouse.as(packhouse.admin);
  expect((await admin.request(`${apiPrefix}/python/repositories/${ids.wheels}`)).status).toBe(200);
});
