import { smallRPackage, smallSdist } from "@packhouse/server/testing/small-packages";
import { type Attack, must, mustBeRefused } from "./attack.ts";
import { attackedRepositories, type Scene } from "./scene.ts";

/** Uploads an honest package, then others by another user: refused, or stored with a warning that names the first. */
async function mustNotPass(
  scene: Scene,
  technology: "r" | "python",
  honest: string,
  lookalikes: readonly string[],
): Promise<string> {
  const make = technology === "r" ? smallRPackage : smallSdist;
  const repository = attackedRepositories[technology];
  const first = await scene.upload(technology, repository, await make(honest, "1.0"), { token: scene.administrator });
  must(first.status === 201, `the honest package is answered by ${first.status}: ${first.text.slice(0, 200)}`);
  const { token } = await scene.freshUser();
  for (const name of lookalikes) {
    const answer = await scene.upload(technology, repository, await make(name, "2.0"), { token });
    if (answer.status !== 201) {
      mustBeRefused(answer);
      continue;
    }
    const [, warned = ""] = /"(?:warnings?|notes?|similar[A-Za-z]*)":(.*)/is.exec(answer.text) ?? [];
    must(warned.includes(honest), `${name} was stored next to ${honest} without a warning`);
  }
  return "refused, or flagged with the other name";
}

export const attacks: readonly Attack[] = [
  {
    kind: "names that look like others",
    variant: "an R package whose name differs in case only",
    run: (scene) => mustNotPass(scene, "r", "whisker", ["Whisker", "whiskeR", "WHISKER"]),
  },
  {
    kind: "names that look like others",
    variant: "an R package with a digit for a letter",
    run: (scene) => mustNotPass(scene, "r", "lollipop", ["l0llipop", "loIlipop", "lo1lipop"]),
  },
  {
    kind: "names that look like others",
    variant: "a Python project with a digit for a letter",
    run: (scene) => mustNotPass(scene, "python", "modeltools", ["m0deltools", "modelt00ls", "modelto0ls"]),
  },
];
