import { setTimeout as sleep } from "node:timers/promises";
import { smallRPackage } from "@packhouse/server/testing/small-packages";
import { z } from "zod";
import { type Attack, Harm, must } from "./attack.ts";
import type { Scene } from "./scene.ts";

const list = z.object({ content: z.array(z.object({ id: z.number() })).min(1) });

const state = z.object({ pending: z.boolean() });

async function mirroredRepository(scene: Scene): Promise<number> {
  const found = await scene.send("GET", "/r/repositories?name=mirrored", { token: scene.administrator });
  return scene.data(found, list).content[0]?.id ?? 0;
}

async function synchronize(scene: Scene, id: number): Promise<void> {
  const token = scene.administrator;
  const repository = `/r/repositories/${id}`;
  const started = await scene.send("POST", `${repository}/synchronize-mirrors`, { token });
  must(started.status < 300, `synchronizing is answered by ${started.status}: ${started.text.slice(0, 200)}`);
  for (const until = Date.now() + 60_000; Date.now() < until; await sleep(200)) {
    const { pending } = scene.data(await scene.send("GET", `${repository}/synchronization-status`, { token }), state);
    if (!pending) return;
  }
  throw new Harm("the synchronization does not end");
}

export const attacks: readonly Attack[] = [
  {
    kind: "mirrors that replace our own packages",
    variant: "upstream lists the name and version of an accepted package with other bytes, then a later version",
    async run(scene) {
      const token = scene.administrator;
      const id = await mirroredRepository(scene);
      await scene.send("PATCH", `/r/repositories/${id}`, {
        token,
        patch: [{ op: "replace", path: "/published", value: true }],
      });
      const own = await smallRPackage("internal", "1.0", { Title: "Our own" });
      const stored = await scene.upload("r", "mirrored", own, { token });
      must(stored.status === 201, `the upload is answered by ${stored.status}: ${stored.text.slice(0, 200)}`);
      const file = "/_/repo/mirrored/src/contrib/internal_1.0.tar.gz";
      const before = await scene.send("GET", file);
      must(before.status === 200, `our file is answered by ${before.status}`);
      const evil = await smallRPackage("internal", "1.0", { Title: "From elsewhere" });
      const other = await smallRPackage("honest", "1.0");
      for (const theirs of [[evil, other], [await smallRPackage("internal", "9.0"), other], [other]]) {
        scene.upstream.putRPackages(theirs);
        await synchronize(scene, id);
        const after = await scene.send("GET", file);
        must(
          after.status === 200 && after.text === before.text,
          `our file is answered by ${after.status} with other bytes`,
        );
      }
      const index = await scene.send("GET", "/_/repo/mirrored/src/contrib/PACKAGES");
      must(index.text.includes("Package: internal\n"), "our package is no longer in the index");
      return "our file stays";
    },
  },
];
