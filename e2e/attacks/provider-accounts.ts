import { z } from "zod";
import { type Answer, type Attack, must, mustBeRefused } from "./attack.ts";
import type { Scene } from "./scene.ts";

const me = z.object({ id: z.number(), login: z.string(), role: z.string() });

type Header = Parameters<Scene["provider"]["token"]>[1];

const asPerson = async (scene: Scene, claims: Record<string, unknown>, header?: Header): Promise<Answer> =>
  scene.send("GET", "/users/me", { token: await scene.provider.token(claims, header) });

/** The role that the product gives to a person with these claims; undefined when it refuses them. */
async function roleOf(scene: Scene, claims: Record<string, unknown>): Promise<string | undefined> {
  const answer = await asPerson(scene, claims);
  if (answer.status !== 200) {
    mustBeRefused(answer);
    return undefined;
  }
  return scene.data(answer, me).role;
}

export const attacks: readonly Attack[] = [
  {
    kind: "names that make administrators",
    variant: "a user changes to an administrator's login at the provider",
    async run(scene) {
      must(
        (await roleOf(scene, { sub: "s-boss", preferred_username: "boss" })) === "admin",
        "the setting has no effect",
      );
      must(
        (await roleOf(scene, { sub: "s-eve", preferred_username: "eve" })) === "user",
        "a new user has more than the role user",
      );
      const role = await roleOf(scene, { sub: "s-eve", preferred_username: "boss" });
      must(role !== "admin", "they are administrator now");
      return role === undefined ? "refused" : `stays ${role}`;
    },
  },
  {
    kind: "names that make administrators",
    variant: "a newcomer with that login, in other cases and scripts, or with it as subject",
    async run(scene) {
      for (const claims of [
        { sub: "s-new", preferred_username: "boss" },
        { sub: "s-case", preferred_username: "Boss" },
        { sub: "s-blank", preferred_username: "boss " },
        { sub: "s-script", preferred_username: "bоss" },
        { sub: "s-wide", preferred_username: "ｂoss" },
        { sub: "s-hidden", preferred_username: "bo\u200bss" },
        { sub: "boss", preferred_username: "mallet" },
      ])
        must((await roleOf(scene, claims)) !== "admin", `${JSON.stringify(claims)} is administrator`);
      return "none is administrator";
    },
  },
  {
    kind: "logins that look like others",
    variant: "the first administrator's login in other cases, with blanks, in other scripts",
    async run(scene) {
      const lookalikes = [
        "Admin",
        "ADMIN",
        "admin ",
        " admin",
        "аdmin",
        "admіn",
        "ａdmin",
        "adm\u200bin",
        "admin\u00ad",
      ];
      for (const [at, login] of lookalikes.entries()) {
        const answer = await asPerson(scene, { sub: `s-like-${at}`, preferred_username: login });
        if (answer.status === 200) {
          const got = scene.data(answer, me);
          must(
            got.login !== login && got.role === "user",
            `${JSON.stringify(login)} became the account ${got.login} (${got.role})`,
          );
        } else mustBeRefused(answer);
      }
      return "none is an account of that name";
    },
  },
  {
    kind: "forged tokens of the provider",
    variant: "logout tokens, issued tomorrow, for others, expired, without subject, unsigned",
    async run(scene) {
      const seconds = Math.floor(Date.now() / 1000);
      const usual = { sub: "s-forged", preferred_username: "forger" };
      const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
      const forged: [string, Record<string, unknown>, Header?][] = [
        ["a logout token", usual, { typ: "logout+jwt" }],
        ["a logout token by its claims", { ...usual, events }],
        ["issued a day ahead", { ...usual, iat: seconds + 86_400, exp: seconds + 90_000 }],
        ["not yet valid", { ...usual, nbf: seconds + 3_600 }],
        ["for another audience", { ...usual, aud: "another-client" }],
        ["of another issuer", { ...usual, iss: "http://127.0.0.1:1" }],
        ["expired", { ...usual, exp: seconds - 3_600 }],
        ["without subject", { ...usual, sub: null }],
        ["without login", { ...usual, preferred_username: null }],
        ["of a subject of 6,000 characters", { ...usual, sub: "s".repeat(6_000) }],
      ];
      for (const [what, claims, header] of forged) {
        const answer = await asPerson(scene, claims, header);
        must(answer.status >= 400, `a token is taken that is ${what}`);
        mustBeRefused(answer);
      }
      return "refused";
    },
  },
  {
    kind: "logins that cannot be stored",
    variant: "of 5,000 characters, with zero bytes and line ends",
    async run(scene) {
      for (const login of ["l".repeat(5_000), "a\0b", "a\nb", "\u202eadmin", "   ", ".."]) {
        const answer = await asPerson(scene, {
          sub: `s-${login.length}-${login.charCodeAt(1)}`,
          preferred_username: login,
        });
        if (answer.status !== 200) mustBeRefused(answer);
      }
      return "refused, or stored in another form";
    },
  },
];
