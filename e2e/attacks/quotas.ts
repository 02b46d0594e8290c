import { smallRPackage } from "@packhouse/server/testing/small-packages";
import { type Attack, Harm, must, mustBeRefused } from "./attack.ts";
import { attackedRepositories } from "./scene.ts";

export const attacks: readonly Attack[] = [
  {
    kind: "one user who takes everything",
    variant: "600 access tokens",
    async run(scene) {
      const { token } = await scene.freshUser();
      for (let count = 0; count < 600; count += 1) {
        const answer = await scene.send("POST", "/access-tokens", {
          token,
          json: { name: `token ${count}`, lifetime: "30" },
        });
        if (answer.status >= 400) return `${mustBeRefused(answer)} after ${count}`;
      }
      throw new Harm("a user has 600 access tokens now");
    },
  },
  {
    kind: "one user who takes everything",
    variant: "400 uploads that wait",
    long: true, // `limits.api.test.ts` sends fewer
    async run(scene) {
      const { token } = await scene.freshUser();
      for (let count = 0; count < 400; count += 1) {
        const file = await smallRPackage(`waiting${count}`, "1.0");
        const answer = await scene.upload("r", attackedRepositories.r, file, { token });
        if (answer.status >= 400) return `${mustBeRefused(answer)} after ${count}`;
      }
      throw new Harm("400 packages of one user wait");
    },
  },
  {
    kind: "one user who takes everything",
    variant: "5,000 calls as fast as possible",
    long: true, // `limits.api.test.ts` sends fewer
    async run(scene) {
      const { token } = await scene.freshUser();
      const headers = { "x-forwarded-for": "203.0.113.99" };
      let refused = 0;
      for (let round = 0; round < 250 && refused === 0; round += 1) {
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => scene.send("GET", "/packages?size=100", { token, headers })),
        );
        for (const answer of answers) {
          if (answer.status === 429) mustBeRefused(answer);
          must(answer.status < 500, `a call was answered by ${answer.status}`);
        }
        refused = answers.filter(({ status }) => status === 429).length;
      }
      must(refused > 0, "none of 5,000 calls was refused");
      return "refused (429) in time";
    },
  },
];
