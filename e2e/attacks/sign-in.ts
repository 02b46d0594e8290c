import { setTimeout as sleep } from "node:timers/promises";
import { packhouseCommand } from "@packhouse/server/testing/programs/command-line";
import { z } from "zod";
import { type Answer, type Attack, Harm, must, mustBeRefused } from "./attack.ts";
import { openRepositories, password, type Scene, victims } from "./scene.ts";

const signInAs = (scene: Scene, login: unknown, secret: unknown, address?: string): Promise<Answer> =>
  scene.send("POST", "/_/login", {
    json: { login, password: secret },
    timeoutMs: 60_000,
    ...(address ? { headers: { "x-forwarded-for": address } } : {}),
  });

const counted = (answers: readonly Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

/** Hashing passwords must not delay files, so this measures the reads during the sign-ins. */
async function flood(scene: Scene, calls: (() => Promise<Answer>)[]): Promise<string> {
  const began = Date.now();
  const answers = await Promise.all(calls.map((call) => call()));
  const worst = Math.max(0, ...scene.reads.filter(({ at }) => at >= began).map(({ tookMs }) => tookMs));
  for (const answer of answers) mustBeRefused(answer);
  must(worst < 2_000, `a file took ${Math.round(worst)} ms during the sign-ins`);
  return `${counted(answers, 429)} of ${answers.length} refused unread, a file took ${Math.round(worst)} ms at most`;
}

/** Guesses a password many times in parallel, each time with the login and from the address that `guess` gives. */
async function guessAtOnce(
  scene: Scene,
  count: number,
  mostEvaluated: number,
  guess: (at: number) => [login: string | undefined, address: string],
): Promise<string> {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, at) => {
      const [login, address] = guess(at);
      return signInAs(scene, login, `guess ${at}`, address);
    }),
  );
  for (const answer of answers) mustBeRefused(answer);
  const evaluated = counted(answers, 401);
  must(evaluated <= mostEvaluated, `${evaluated} of ${count} guesses were evaluated`);
  return `${evaluated} of ${count} evaluated`;
}

/** Sets a password as an operator does, while the server runs; gives the exit code and what the command wrote. */
async function setPassword({ environment }: Scene, login: string, secret: string) {
  return packhouseCommand(["admin", "password", login, "--password-stdin"], { environment, input: `${secret}\n` });
}

export const attacks: readonly Attack[] = [
  {
    kind: "access tokens that open more than they may",
    variant: "an administrator's makes an administrator, a token, a password and a one-time link",
    async run(scene) {
      const json = { name: "stolen", lifetime: "5" };
      const made = await scene.send("POST", "/access-tokens", { token: scene.administrator, json });
      const { value: token } = scene.data(made, z.object({ value: z.string() }));
      const { id } = scene.data(
        await scene.send("GET", "/users/me", { token: (await scene.freshUser()).token }),
        z.object({ id: z.number() }),
      );
      const patch = [{ op: "replace", path: "/roleId", value: 4 }];
      const answers = [
        await scene.send("PATCH", `/users/${id}`, { token, patch }),
        await scene.send("POST", "/access-tokens", { token, json }),
        await scene.send("POST", `/users/${id}/temporary-password`, { token, json: {} }),
        await scene.send("POST", `/users/${id}/password-link`, { token, json: {} }),
        await scene.send("POST", `/users/${id}/reset-second-factors`, { token, json: {} }),
      ];
      for (const answer of answers) must(answer.status === 403, `one is answered by ${answer.status}`);
      return "refused";
    },
  },
  {
    kind: "sign-ins in great numbers",
    variant: "500 at once, each from another address with another name",
    long: true, // `many-sign-ins.api.test.ts` has as many
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
    run: (scene) => guessAtOnce(scene, 300, 15, () => [victims[0], "203.0.113.7"]),
  },
  {
    kind: "guessed passwords",
    variant: "300 guesses of one name at once, each from another address",
    run: (scene) => guessAtOnce(scene, 300, 30, (at) => [victims[1], `203.0.${at % 250}.9`]),
  },
  {
    kind: "guessed passwords",
    variant: "the same name in other spellings",
    run: (scene) => {
      const spellings = ["victim2", "Victim2", "VICTIM2", "victim2 ", " victim2", "ｖictim2", "victim２"];
      return guessAtOnce(scene, 140, 30, (at) => [spellings[at % spellings.length], "203.0.113.8"]);
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
      const { code, err } = await setPassword(scene, login, "another long enough secret");
      if (code !== 0) throw new Error(`the command ended with ${code}: ${err}`);
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
        const { code } = await setPassword(scene, login, secret);
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
