import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { circleOfFolders, importsWithin } from "./imports.ts";

const server = resolve(import.meta.dirname, "../../server");

/** From the top down: a file imports from its own layer and those below it. What is in no layer is refused. */
const layers = ["entry", "operate", "app", "features", "publish", "identity", "http", "platform"];

/** Files of a folder, without its tests. Migrations are a log that only grows. */
const mostFiles = 15;
const growing = new Set(["platform/db/migrations"]);

/** Layers that are one folder; the others consist of folders. */
const flat = new Set(["app", "http"]);

/** Files outside of all folders of a layer, and why they are there. */
const loose: Record<string, string> = {
  "entry/packhouse.ts": "the program",
  "entry/commands.ts": "the list of its commands",
  "entry/command-line-page.ts": "their manual",
  "entry/memory-options.ts": "how it is started",
  "features/deps.ts": "what all features are given",
  "identity/deps.ts": "what all of identity is given",
  "identity/read-rights.ts": "asked by features and publication alike",
  "identity/read-right-store.ts": "the same rules as SQL",
  "platform/client-network.ts": "what limits, attempts and events know of an address",
  "platform/clock.ts": "the time, for everything",
  "platform/make-folder.ts": "for data, exports and backups",
  "platform/product-version.ts": "named to clients, servers, operators",
  "platform/stop-signals.ts": "for the program and for each of its processes",
  "publish/create-publication.ts": "puts the folders of this layer together",
  "publish/offline-publication.ts": "the same without a server, for commands",
};

/** Stores that another feature uses, too, and why. */
const sharedStores: Record<string, { users: readonly string[]; reason: string }> = {
  "features/packages/store.ts": {
    users: ["features/submissions", "features/mirrors", "features/review"],
    reason: "a submission and its package are written as one, and reviewed as one",
  },
  "features/packages/package-columns-store.ts": {
    users: ["features/submissions", "features/review"],
    reason: "a submission is shown with its package",
  },
  "features/packages/package-count-store.ts": {
    users: ["features/submissions"],
    reason: "each package has one submission, so both are counted as one",
  },
  "features/submissions/store.ts": { users: ["features/review"], reason: "a review is of a submission" },
  "features/packages/contents/facts-store.ts": {
    users: ["features/submissions"],
    reason: "what an upload finds out about a package is stored with it",
  },
  "features/submissions/assigned-store.ts": {
    users: ["features/review"],
    reason: "lists of submissions and of releases show who may decide by one rule",
  },
  "features/submissions/required-checks-store.ts": {
    users: ["features/review"],
    reason: "the desk shows the checks that a decision asks about",
  },
  "features/maintainers/responsible-user-store.ts": {
    users: [
      "features/packages",
      "features/repositories",
      "features/submissions",
      "features/users",
      "operate/verification",
    ],
    reason: "every change of packages, repositories and users chooses the responsible users again",
  },
};

const isSource = (path: string) =>
  /\.[cm]?[jt]sx?$/.test(path) && !/(^|\/)(node_modules|dist)\/|\.test(-d)?\.ts$/.test(path);
const sources = readdirSync(server, { recursive: true, encoding: "utf8" }).filter(isSource);
const files = sources.filter((path) => !path.startsWith("testing/"));
const imports = importsWithin(server, files);

const layerOf = (path: string) => layers.indexOf(path.split("/")[0] ?? "");
/** `features/packages`; of a layer without features, its folder. */
const roomOf = (path: string) => path.split("/").slice(0, 2).join("/");

describe("the server", () => {
  test("has every file in a layer", () => {
    expect(files.filter((path) => layerOf(path) < 0)).toEqual([]);
    expect(files.length).toBeGreaterThan(300);
  });

  test("imports from its own layer and those below it", () => {
    expect(imports.filter(({ from, to }) => layerOf(to) < layerOf(from))).toEqual([]);
    expect(imports.length).toBeGreaterThan(1000);
  });

  test.for([1, 2, 3, Number.POSITIVE_INFINITY])(
    "has no folders that import each other in a circle, %d deep",
    (depth) => {
      expect(circleOfFolders(imports, depth)).toBeUndefined();
    },
  );

  test("leaves a store to its feature", () => {
    const isStore = (path: string) => path.startsWith("features/") && /(^|-)store\.ts$/.test(basename(path));
    const foreign = imports.filter(({ from, to }) => isStore(to) && roomOf(from) !== roomOf(to));
    expect(foreign.filter(({ from, to }) => !sharedStores[to]?.users.includes(roomOf(from)))).toEqual([]);
    const used = (store: string, user: string) => foreign.some(({ from, to }) => to === store && roomOf(from) === user);
    const unused = Object.entries(sharedStores).filter(
      ([store, { users }]) => !users.every((user) => used(store, user)),
    );
    expect(unused).toEqual([]);
  });

  test("has routes that only the composition imports", () => {
    const isRoutes = (path: string) => /(^|-)routes\.ts$/.test(basename(path));
    const wrong = imports.filter(
      ({ from, to }) =>
        isRoutes(to) && from !== "app/app.ts" && dirname(from) !== dirname(to) && roomOf(from) !== roomOf(to),
    );
    expect(wrong).toEqual([]);
  });

  test("is loaded as a whole only by commands that start it, when they do", () => {
    const wholeServer = /^import (?!type)[^;]*from "[^"]*\/app\/(app|run)\.ts"/m;
    const above = files.filter((path) => layerOf(path) < layers.indexOf("app"));
    expect(above.filter((path) => wholeServer.test(readFileSync(join(server, path), "utf8")))).toEqual([]);
    const starting = imports.filter(({ to }) => to === "app/run.ts").map(({ from }) => from);
    expect([...new Set(starting)].sort()).toEqual(["app/processes.ts", "entry/commands/demo.ts"]);
  });

  test("keeps rules free of I/O", () => {
    // A rule stands in the file that is named like its folder's noun: `submissions/submission.ts`.
    const isRule = (path: string) => {
      const [, folder = "", file = ""] = /^features\/([^/]+)\/([^/]+)\.ts$/.exec(path) ?? [];
      return folder !== "" && (file === folder.replace(/ies$/, "y") || file === folder.replace(/s$/, ""));
    };
    expect(files.filter(isRule).length).toBeGreaterThan(5);
    const outside = /^\s*import (?!type)[^;]*from "(node:|kysely|pg"|fastify)/m;
    const wrong = files.filter(
      (path) =>
        isRule(path) &&
        (outside.test(readFileSync(join(server, path), "utf8")) ||
          imports.some(({ from, to }) => from === path && /(store|routes|database)\.ts$/.test(to))),
    );
    expect(wrong).toEqual([]);
  });

  test("has no folder that is too full to look at, and no loose file without a reason", () => {
    const counts = new Map<string, number>();
    for (const path of sources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    expect([...counts].filter(([folder, count]) => count > mostFiles && !growing.has(folder))).toEqual([]);
    const own = files.filter((path) => layers.includes(dirname(path)) && !flat.has(dirname(path)));
    expect(own.filter((path) => !(path in loose))).toEqual([]);
    expect(Object.keys(loose).filter((path) => !own.includes(path))).toEqual([]);
  });
});
