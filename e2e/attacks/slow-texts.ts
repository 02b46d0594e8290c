import { smallRPackage, smallSdist, smallWheel } from "@packhouse/server/testing/small-packages";
import { type Attack, mustBeBounded } from "./attack.ts";
import { attackedRepositories, freshName, type Scene, submitted } from "./scene.ts";

/** Uploads as an ordinary user, and if it is stored looks at what a reviewer looks at. */
async function uploadAndView(
  scene: Scene,
  technology: "r" | "python",
  file: Parameters<Scene["upload"]>[2],
): Promise<string> {
  const { token } = await scene.freshUser();
  const answer = await scene.upload(technology, attackedRepositories[technology], file, { token });
  const outcome = mustBeBounded(answer);
  if (answer.status !== 201) return outcome;
  const { packageBag } = scene.data(answer, submitted);
  const { administrator } = scene;
  const views = [`/packages/${packageBag.id}/dependencies`, `/${technology}/packages/${packageBag.id}`];
  if (technology === "r") views.push(`/r/packages/${packageBag.id}/vignettes`);
  let slowest = answer.tookMs;
  for (const path of views) {
    const view = await scene.send("GET", path, { token: administrator });
    mustBeBounded(view);
    slowest = Math.max(slowest, view.tookMs);
  }
  return `stored and viewed, ${Math.round(slowest)} ms at most`;
}

const requirement = (variant: string, text: string): Attack => ({
  kind: "texts that are slow to read",
  variant: `requirement: ${variant}`,
  run: async (scene) =>
    uploadAndView(scene, "python", await smallSdist(freshName("slow"), "1.0", { "Requires-Dist": text })),
});
const description = (variant: string, field: string, text: string): Attack => ({
  kind: "texts that are slow to read",
  variant: `${field}: ${variant}`,
  run: async (scene) => uploadAndView(scene, "r", await smallRPackage(freshName("slow"), "1.0", { [field]: text })),
});
const vignette = (variant: string, text: string): Attack => ({
  kind: "texts that are slow to read",
  variant: `vignette: ${variant}`,
  run: async (scene) => {
    const files = { "inst/doc/guide.html": text, "vignettes/guide.Rmd": text };
    return uploadAndView(scene, "r", await smallRPackage(freshName("slow"), "1.0", {}, files));
  },
});

const much = 30_000;
export const attacks: readonly Attack[] = [
  requirement("a name, 1,000 blanks and a bracket", `a${" ".repeat(1000)})x`),
  requirement("a name, 30,000 blanks and a bracket", `a${" ".repeat(much)})x`),
  requirement("30,000 opening brackets", `a${"[".repeat(much)}`),
  requirement("a marker of 30,000 nested brackets", `a; ${"(".repeat(much)}python_version > "3"${")".repeat(much)}`),
  requirement("30,000 commas between blanks", `a (${" , ".repeat(much)}`),
  requirement("a marker that never closes its quote", `a; python_version > "${"\\'".repeat(much)}`),
  description("nested calls 20,000 deep", "Authors@R", `${"c(".repeat(20_000)}person("A", "B")`),
  description("30,000 quotes", "Authors@R", `person("${'\\"'.repeat(much)}`),
  description("a name and 30,000 blanks", "Depends", `a${" ".repeat(much)}(`),
  description("30,000 opening angle brackets", "Description", "<".repeat(much)),
  description("30,000 addresses that never end", "URL", "http://a<".repeat(much)),
  description("a person with 30,000 blanks", "Maintainer", `Ada${" ".repeat(much)}<`),
  vignette("30,000 titles that never end", `<html>${"<title ".repeat(much)}`),
  vignette("30,000 titles with blanks", `<title>${" \n".repeat(much)}`),
  vignette("30,000 beginnings of an index entry", "%\\VignetteIndexEntry{".repeat(much)),
  vignette("a front matter that never ends", `---\n${"title: |\n  ".repeat(much)}`),
  {
    kind: "texts that are slow to read",
    variant: "README: nested brackets, emphasis and quotes in Markdown",
    run: async (scene) => {
      const text = `${"[".repeat(much)}${"*a_ ".repeat(much)}${"> ".repeat(much)}${"`".repeat(much)}`;
      const fields = { "Description-Content-Type": "text/markdown" };
      const wheel = await smallWheel(freshName("slow"), "1.0", { ...fields, Description: text });
      return uploadAndView(scene, "python", wheel);
    },
  },
];
