import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { type Answer, type Attack, Harm, must, mustBeRefused } from "./attack.ts";
import { commandOutcome, runCommand } from "./command.ts";
import { openRepositories, password, type Scene, victims } from "./scene.ts";

const from = (address: string) => ({ "x-forwarded-for": address });

const signInAs = (scene: Scene, login: unknown, secret: unknown, address?: string): Promise<Answer> =>
  scene.send("POST", "/_/login", {
    json: { login, password: secret },
    timeoutMs: 60_000,
    ...(address ? { headers: from(address) } : {}),
  });

const counted = (answers: readonly Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

/** Hashing must not hold up files: reads meanwhile are what this measures. */
async function flood(scene: Scene, calls: (() => Promise<Answer>)[]): Promise<string> {
  const began = Date.now();
  const answers = await Promise.all(calls.map((call) => call()));
  const worst = Math.max(0, ...scene.reads.filter(({ at }) => at >= began).map(({ tookMs }) => tookMs));
  for (const answer of answers) mustBeRefused(answer);
  must(worst < 2_000, `a file took ${Math.round(worst)} ms meanwhile`);
  return `${counted(answers, 429)} of ${answers.length} refused unread, a file took ${Math.round(worst)} ms at most`;
}

export const attacks: readonly Attack[] = [
  {
    kind: "sign-ins in great numbers",
    variant: "500 at once, each from another address with another name",
    run: (scene) =>
      flood(
        scene,
        Array.from(
          { length: 500 },
          (_, at) => () => signInAs(scene, `nobody${at}`, "wrong", `203.0.${at % 2}.${at >> 1}`),
        ),
      ),
  },
  {
    kind: "sign-ins in great numbers",
    variant: "200 at once with passwords of 100 kB",
    run: (scene) =>
      flood(
        scene,
        Array.from({ length: 200 }, (_, at) => () => signInAs(scene, `nobody${at}`, "x".repeat(100_000))),
      ),
  },
  {
    kind: "guessed passwords",
    variant: "300 guesses of one name at once",
    async run(scene) {
      const answers = await Promise.all(
        Array.from({ length: 300 }, (_, at) => signInAs(scene, victims[0], `guess ${at}`, "203.0.113.7")),
      );
      for (const answer of answers) mustBeRefused(answer);
      const evaluated = counted(answers, 401);
      must(evaluated <= 15, `${evaluated} of 300 guesses were evaluated`);
      return `${evaluated} of 300 evaluated`;
    },
  },
  {
    kind: "guessed passwords",
    variant: "300 guesses of one name at once, each from another address",
    async run(scene) {
      const answers = await Promise.all(
        Array.from({ length: 300 }, (_, at) => signInAs(scene, victims[1], `guess ${at}`, `203.0.${at % 250}.9`)),
      );
      for (const answer of answers) mustBeRefused(answer);
      const evaluated = counted(answers, 401);
      must(evaluated <= 30, `${evaluated} of 300 guesses were evaluated`);
      return `${evaluated} of 300 evaluated`;
    },
  },
  {
    kind: "guessed passwords",
    variant: "the same name in other spellings",
    async run(scene) {
      const spellings = ["victim2", "Victim2", "VICTIM2", "victim2 ", " victim2", "ｖictim2", "victim２"];
      const guesses = Array.from({ length: 140 }, (_, at) => spellings[at % spellings.length]);
      const answers = await Promise.all(
        guesses.map((login, at) => signInAs(scene, login, `guess ${at}`, "203.0.113.8")),
      );
      for (const answer of answers) mustBeRefused(answer);
      const evaluated = counted(answers, 401);
      must(evaluated <= 30, `${evaluated} of 140 guesses were evaluated`);
      return `${evaluated} of 140 evaluated`;
    },
  },
  {
    kind: "odd names at sign-in",
    variant: "3,000 and 1,000,000 characters, a zero byte, half a surrogate, no text",
    async run(scene) {
      for (const login of ["x".repeat(3_000), "x".repeat(1_000_000), "a\0b", "\ud800", "", 7, null, ["admin"], {}])
        mustBeRefused(await signInAs(scene, login, "wrong"));
      return "refused";
    },
  },
  {
    kind: "odd names at sign-in",
    variant: "guesses of a name of 3,000 characters count, too",
    async run(scene) {
      const login = "y".repeat(3_000);
      for (let count = 0; count < 40; count += 1) {
        const answer = await signInAs(scene, login, "wrong", "203.0.113.77");
        mustBeRefused(answer);
        if (answer.status === 429 || answer.status === 400 || answer.status === 422)
          return `refused (${answer.status})`;
      }
      throw new Harm("40 guesses in a row were evaluated");
    },
  },
  {
    kind: "sessions that do not end",
    variant: "a token is used after its owner has signed out",
    async run(scene) {
      const { token } = await scene.freshUser();
      const out = await scene.send("POST", "/logout", { token });
      must(out.status < 300, `signing out is answered by ${out.status}: ${out.text.slice(0, 120)}`);
      return mustBeRefused(await scene.send("GET", "/users/me", { token }));
    },
  },
  {
    kind: "forged sessions",
    variant: "no signature, another algorithm, claims exchanged, parts missing",
    async run(scene) {
      const { token } = await scene.freshUser();
      const [header = "", claims = "", signature = ""] = token.split(".");
      const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
      const admin = scene.administrator.split(".")[1] ?? "";
      const forged = [
        `${encode({ alg: "none", typ: "JWT" })}.${claims}.`,
        `${encode({ alg: "none" })}.${admin}.${signature}`,
        `${header}.${admin}.${signature}`,
        `${header}.${claims}.`,
        `${header}.${claims}`,
        `${header}.${claims}.${signature}A`,
        "..",
        "pkh_",
        `pkh_${"A".repeat(43)}`,
        "A".repeat(7_000),
      ];
      for (const bearer of forged) {
        const answer = await scene.send("GET", "/users/me", { token: bearer });
        mustBeRefused(answer);
        must(answer.status === 401 || answer.status === 431, `a forged token is answered by ${answer.status}`);
      }
      return "refused (401)";
    },
  },
  {
    kind: "secrets that outlive a sign-in",
    variant: "access tokens after an administrator has set another password",
    async run(scene) {
      const { login, token } = await scene.freshUser();
      const made = await scene.send("POST", "/access-tokens", { token, json: { name: "left behind", lifetime: "30" } });
      const { value } = scene.data(made, z.object({ value: z.string() }));
      must(
        (await scene.send("GET", "/users/me", { token: value })).status === 200,
        "the new access token does not work",
      );
      await runCommand(scene, ["admin", "password", login, "--password-stdin"], "another long enough secret\n");
      for (let tries = 0; tries < 20; tries += 1) {
        const after = await Promise.all([token, value].map((one) => scene.send("GET", "/users/me", { token: one })));
        if (after.every(({ status }) => status === 401)) return "both are refused (401)";
        await sleep(250);
      }
      throw new Harm("the session or the access token still works");
    },
  },
  {
    kind: "weak passwords",
    variant: "common ones, and the login itself",
    async run(scene) {
      for (const [login, secret] of [
        ["victim3", "password123"],
        ["victim3", "qwertyuiop"],
        ["victim3", "victim3"],
        ["victim3", "VICTIM3"],
      ] as const) {
        const { code } = await commandOutcome(scene, ["admin", "password", login, "--password-stdin"], `${secret}\n`);
        must(code !== 0, `"${secret}" was accepted`);
      }
      must((await signInAs(scene, "victim3", password)).status === 200, "the password changed");
      return "refused";
    },
  },
  {
    kind: "files that only some may read",
    variant: "listing a repository's names without a session",
    async run(scene) {
      for (const path of ["/packages", "/repositories", "/submissions", "/events", "/users", "/access-tokens"])
        must((await scene.send("GET", path)).status === 401, `${path} is open`);
      const { r } = openRepositories;
      must(
        (await scene.send("GET", `/_/repo/${r}/src/contrib/PACKAGES`)).status === 200,
        "the open repository is closed",
      );
      return "refused (401)";
    },
  },
];
