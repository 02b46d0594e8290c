import { setTimeout as sleep } from "node:timers/promises";
import type { Settings } from "../platform/settings/settings.ts";
import { type DeclarationFolder, declarationFolder } from "./declared.ts";
import { type Client, startPackhouse, type TestPackhouse } from "./packhouse.ts";
import { startUpstream, type UpstreamServer } from "./servers/upstream-server.ts";

/** A Packhouse with the published repository `north`, which has mirrors. */
export interface Mirroring extends AsyncDisposable {
  it: TestPackhouse;
  admin: Client;
  id: number;
  /** Of the repository, below the API. */
  path: string;
  folder: DeclarationFolder;
  /** Synchronizes all mirrors, and returns the run of the named one, or of the first. */
  synchronize(mirror?: string): Promise<{
    stored: number;
    errors: string[];
    clashes: { name: string; version: string; reason: string; with: string; taken: boolean; text: string }[];
    skipped: { name: string; fileName: string; reason: string }[];
    counts: { errors: number; clashes: number; skipped: number };
  }>;
  /** `name version origin`, `mirror:upstream` for what a mirror brought. */
  packages(): Promise<string[]>;
}

/** Starts upstream servers, one for each mirror. */
export async function startUpstreams(count: number): Promise<UpstreamServer[]> {
  return Promise.all(Array.from({ length: count }, () => startUpstream()));
}

export async function startMirroring(
  technology: "R" | "Python",
  declaration: Record<string, unknown> & { mirrors: Record<string, unknown>[] },
  settings: Partial<Settings> = {},
): Promise<Mirroring> {
  const folder = await declarationFolder();
  await folder.declare("north", { technology, ...declaration });
  const it = await startPackhouse({
    settings: {
      "declarative.enabled": true,
      "declarative.paths": [folder.path],
      "mirrors.allowPrivateAddresses": true,
      "mirrors.requestsPerSecond": 1000,
      ...settings,
    },
  });
  const admin = await it.as(it.admin);
  const { data } = await admin.get("/repositories?name=north");
  const id: number = data.content[0].id;
  const path = `/${technology === "R" ? "r" : "python"}/repositories/${id}`;
  return {
    it,
    admin,
    id,
    path,
    folder,
    async synchronize(mirror) {
      const { http } = await admin.post(`${path}/synchronize-mirrors`, undefined);
      if (http !== 204) throw new Error(`synchronize-mirrors answers ${http}`);
      await until(async () => !(await admin.get(`${path}/synchronization-status`)).data.pending);
      const { data: shown } = await admin.get(`/repositories/${id}/mirrors`);
      return (mirror ? shown.mirrors.find(({ name }: { name: string }) => name === mirror) : shown.mirrors[0]).lastRun;
    },
    async packages() {
      const { data: list } = await admin.get("/packages?repository=north&size=100&sort=name,asc&sort=version,asc");
      return list.content.map(
        (each: { name: string; version: string; origin: string; mirror?: string }) =>
          `${each.name} ${each.version} ${each.mirror ? `${each.origin}:${each.mirror}` : each.origin}`,
      );
    },
    async [Symbol.asyncDispose]() {
      await it[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

export async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error("it has not happened within a minute");
    await sleep(25);
  }
}
