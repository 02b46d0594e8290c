import { gzipSync } from "node:zlib";
import { smallRPackage, smallSdist } from "@packhouse/server/testing/small-packages";
import { type Attack, must, mustBeBounded, mustBeRefused } from "./attack.ts";
import { attackedRepositories, freshName, type Scene, submitted } from "./scene.ts";

const kind = "metadata without end";

/** Every list that shows packages; each must stay small enough for a browser, whatever was uploaded. */
async function listsStayBounded(scene: Scene): Promise<void> {
  for (const path of ["/packages", "/r/packages", "/python/packages", "/submissions", "/r/submissions", "/events"])
    mustBeBounded(await scene.send("GET", `${path}?size=1000&state=WAITING`, { token: scene.administrator }));
}

async function uploadR(scene: Scene, fields: Record<string, string>): Promise<string> {
  const { token } = await scene.freshUser();
  const file = await smallRPackage(freshName("large"), "1.0", fields);
  const answer = await scene.upload("r", attackedRepositories.r, file, { token });
  const outcome = mustBeBounded(answer);
  if (answer.status === 201) {
    const { packageBag } = scene.data(answer, submitted);
    for (const path of [`/packages/${packageBag.id}/dependencies`, `/r/packages/${packageBag.id}`]) {
      const view = await scene.send("GET", path, { token: scene.administrator });
      mustBeBounded(view);
      must(view.tookMs < 5_000, `${path} took ${Math.round(view.tookMs)} ms`);
    }
  }
  await listsStayBounded(scene);
  return outcome;
}

const entries = (most: number, entry: (at: number) => string, between: string) =>
  Array.from({ length: most }, (_, at) => entry(at)).join(between);

export const attacks: readonly Attack[] = [
  {
    kind,
    variant: "24 waiting packages with 4 MB of control characters each",
    async run(scene) {
      const answers: string[] = [];
      const { token } = await scene.freshUser();
      for (let at = 0; at < 24; at += 1) {
        const fields = { Description: `x${"\u0001".repeat(4_000_000)}` };
        const file = await smallRPackage(freshName("large"), "1.0", fields);
        answers.push(mustBeBounded(await scene.upload("r", attackedRepositories.r, file, { token })));
        if (at % 8 === 7) await listsStayBounded(scene);
      }
      return answers.at(-1) ?? "";
    },
  },
  {
    kind,
    variant: "12 waiting packages with descriptions just below 1 MB",
    async run(scene) {
      const { token } = await scene.freshUser();
      for (let at = 0; at < 12; at += 1) {
        const file = await smallSdist(freshName("large"), "1.0", {
          Description: "word ".repeat(199_000),
          Summary: "s",
        });
        mustBeBounded(await scene.upload("python", attackedRepositories.python, file, { token }));
      }
      await listsStayBounded(scene);
      return "lists stay below 8 MB";
    },
  },
  {
    kind,
    variant: "a DESCRIPTION with 400,000 fields",
    run: (scene) => uploadR(scene, Object.fromEntries(Array.from({ length: 400_000 }, (_, at) => [`F${at}`, "x"]))),
  },
  {
    kind,
    variant: "300,000 dependencies",
    run: (scene) => uploadR(scene, { Depends: entries(300_000, (at) => `a${at}`, ", ") }),
  },
  {
    kind,
    variant: "100,000 authors",
    run: (scene) => uploadR(scene, { "Authors@R": `c(${entries(100_000, (at) => `person("A${at}", "B")`, ", ")})` }),
  },
  {
    kind,
    variant: "a title of 5 MB on one line",
    run: (scene) => uploadR(scene, { Title: "T".repeat(5_000_000) }),
  },
  {
    kind,
    variant: "a package name of 100,000 characters",
    async run(scene) {
      const { token } = await scene.freshUser();
      const name = "n".repeat(100_000);
      const { bytes, type } = await smallRPackage(name, "1.0").catch(() => smallRPackage("n".repeat(90), "1.0"));
      return mustBeRefused(
        await scene.upload("r", attackedRepositories.r, { fileName: "n_1.0.tar.gz", bytes, type }, { token }),
      );
    },
  },
  {
    kind,
    variant: "200,000 classifiers and requirements of a Python package",
    async run(scene) {
      const { token } = await scene.freshUser();
      const lines = entries(200_000, (at) => `Topic :: ${at}\nRequires-Dist: a${at}`, "\nClassifier: ");
      const file = await smallSdist(freshName("large"), "1.0", { Classifier: lines });
      const answer = await scene.upload("python", attackedRepositories.python, file, { token });
      await listsStayBounded(scene);
      return mustBeBounded(answer);
    },
  },
  {
    kind,
    variant: "an archive with 200,000 empty files",
    long: true,
    async run(scene) {
      const { token } = await scene.freshUser();
      const files = Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`inst/f${at}`, ""]));
      const file = await smallRPackage(freshName("large"), "1.0", {}, files);
      return mustBeBounded(await scene.upload("r", attackedRepositories.r, file, { token }));
    },
  },
  {
    kind: "archives that unpack to very much",
    variant: "gzips of 300 and 900 MB of zeros, and one inside another",
    async run(scene) {
      const { token } = await scene.freshUser();
      const bomb = gzipSync(Buffer.alloc(300_000_000), { level: 9 });
      for (const bytes of [bomb, gzipSync(bomb), Buffer.concat([bomb, bomb, bomb])])
        mustBeRefused(
          await scene.upload(
            "r",
            attackedRepositories.r,
            { fileName: "bomb_1.0.tar.gz", bytes, type: "application/gzip" },
            { token },
          ),
        );
      return "refused";
    },
  },
];
