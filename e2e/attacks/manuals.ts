import { smallRPackage } from "@packhouse/server/testing/small-packages";
import { type Attack, must, mustBeBounded } from "./attack.ts";
import { attackedRepositories, freshName, submitted } from "./scene.ts";

const manual = (variant: string, text: string): Attack => ({
  kind: "manuals that keep the server busy",
  variant,
  async run(scene) {
    const file = await smallRPackage(freshName("manual"), "1.0", {}, { "man/a.Rd": text });
    const { token } = await scene.freshUser();
    const answer = await scene.upload("r", attackedRepositories.r, file, { token });
    if (answer.status !== 201) return mustBeBounded(answer);
    const { packageBag } = scene.data(answer, submitted);
    const page = await scene.send("GET", `/r/packages/${packageBag.id}/manual.html`, {
      token: scene.administrator,
      timeoutMs: 40_000,
    });
    must(page.status < 500, `the manual is answered by ${page.status} after ${Math.round(page.tookMs)} ms`);
    return mustBeBounded(page);
  },
});

export const attacks: readonly Attack[] = [
  manual("Rd nested 50,000 deep", `\\name{a}\\title{a}\\description{${"\\emph{".repeat(50_000)}`),
  manual(
    "40 macros, each twice the one before",
    Array.from({ length: 40 }, (_, at) => `\\newcommand{\\m${at + 1}}{\\m${at}\\m${at}}`).join("\n") +
      "\\name{a}\\title{\\m40}",
  ),
  manual(
    "a table of 3,000 columns, with 300 rows of 300 cells",
    `\\name{a}\\title{a}\\description{\\tabular{${"l".repeat(3_000)}}{${`${"x\\tab ".repeat(300)}\\cr `.repeat(300)}}}`,
  ),
  manual("400,000 list items", `\\name{a}\\title{a}\\description{\\itemize{${"\\item x ".repeat(400_000)}}}`),
];
