import { z } from "zod";
import { type Answer, type Attack, must, mustBeBounded, mustBeRefused, p99Ms } from "./attack.ts";
import { attackedRepositories, openRepositories, type Scene } from "./scene.ts";

const kind = "patches that grow";
const identified = z.object({ id: z.number() });

/** Patches a user's own settings, which every user may change. */
async function patchOwnSettings(scene: Scene, operations: unknown[]): Promise<Answer> {
  const { token } = await scene.freshUser();
  const { id } = scene.data(await scene.send("GET", "/users/me", { token }), identified);
  return scene.send("PATCH", `/user-settings/${id}`, { token, patch: operations });
}

const doubling = (count: number, path: string) =>
  Array.from({ length: count }, () => ({ op: "copy", from: path, path: `${path}/-` }));

export const attacks: readonly Attack[] = [
  {
    kind,
    variant: "an array copied into itself 26 times",
    run: async (scene) =>
      mustBeRefused(
        await patchOwnSettings(scene, [{ op: "add", path: "/x", value: [1, 2, 3] }, ...doubling(26, "/x")]),
      ),
  },
  {
    kind,
    variant: "an object copied into a member of itself 26 times",
    run: async (scene) =>
      mustBeRefused(
        await patchOwnSettings(scene, [
          { op: "add", path: "/x", value: { a: {} } },
          ...Array.from({ length: 26 }, (_, at) => ({ op: "copy", from: "/x", path: `/x/n${at}` })),
        ]),
      ),
  },
  {
    kind,
    variant: "two members copied into each other in turns",
    run: async (scene) =>
      mustBeRefused(
        await patchOwnSettings(scene, [
          { op: "add", path: "/x", value: ["0123456789"] },
          { op: "add", path: "/y", value: [] },
          ...Array.from({ length: 24 }, (_, at) =>
            at % 2 === 0 ? { op: "copy", from: "/x", path: "/y/-" } : { op: "copy", from: "/y", path: "/x/-" },
          ),
          ...doubling(20, "/x"),
        ]),
      ),
  },
  {
    kind,
    variant: "a value moved into itself",
    run: async (scene) =>
      mustBeRefused(
        await patchOwnSettings(scene, [
          { op: "add", path: "/x", value: { y: {} } },
          { op: "move", from: "/x", path: "/x/y/z" },
        ]),
      ),
  },
  {
    kind,
    variant: "thousands of inserts at the front of a long array",
    run: async (scene) =>
      mustBeBounded(
        await patchOwnSettings(scene, [
          { op: "add", path: "/x", value: Array.from({ length: 50_000 }, () => 0) },
          ...Array.from({ length: 5_000 }, () => ({ op: "add", path: "/x/0", value: 0 })),
        ]),
      ),
  },
  {
    kind,
    variant: "a hundred thousand members, and as many empty objects",
    run: async (scene) => {
      const members = Object.fromEntries(Array.from({ length: 80_000 }, (_, at) => [`k${at}`, 1]));
      mustBeRefused(await patchOwnSettings(scene, [{ op: "add", path: "/x", value: members }]));
      const objects = Array.from({ length: 300_000 }, () => ({}));
      return mustBeRefused(await patchOwnSettings(scene, [{ op: "add", path: "/x", value: objects }]));
    },
  },
  {
    kind,
    variant: "comparisons of large values, again and again",
    run: async (scene) => {
      const value = Array.from({ length: 5_000 }, (_, at) => at);
      return mustBeBounded(
        await patchOwnSettings(scene, [
          { op: "add", path: "/x", value },
          { op: "copy", from: "/x", path: "/y" },
          ...Array.from({ length: 30 }, () => ({ op: "test", path: "/x", value })),
        ]),
      );
    },
  },
  {
    kind,
    variant: "a value nested 20,000 deep",
    run: async (scene) => {
      const { token } = await scene.freshUser();
      const { id } = scene.data(await scene.send("GET", "/users/me", { token }), identified);
      const body = `[{"op":"add","path":"/x","value":${"[".repeat(20_000)}${"]".repeat(20_000)}}]`;
      return mustBeRefused(
        await scene.send("PATCH", `/user-settings/${id}`, {
          token,
          body,
          headers: { "content-type": "application/json-patch+json" },
        }),
      );
    },
  },
  {
    kind,
    variant: "a path of 100,000 steps, and prototypes as names",
    run: async (scene) => {
      const paths = ["/a".repeat(100_000), "/__proto__/polluted", "/constructor/prototype/polluted"];
      for (const path of paths) mustBeRefused(await patchOwnSettings(scene, [{ op: "add", path, value: true }]));
      const me = await scene.send("GET", "/users/me", { token: scene.administrator });
      must(!me.text.includes("polluted"), "every object now has the attacker's member");
      return "refused";
    },
  },
  {
    kind,
    variant: "of nearly 1 MB, by 12 users at once, for 20 s",
    long: true,
    async run(scene) {
      const values = {
        "a long text": "x".repeat(900_000),
        "many texts": Array.from({ length: 9_000 }, (_, at) => `${at}${"x".repeat(90)}`),
        "many members": Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`k${at}${"x".repeat(80)}`, at])),
        escapes: "\u0001".repeat(160_000),
      };
      const bodies = Object.values(values).flatMap((value) => [
        [{ op: "add", path: "/x", value }],
        [
          { op: "add", path: "/x", value },
          ...Array.from({ length: 400 }, () => ({ op: "test", path: "/x", value: 1 })),
        ],
        [{ op: "replace", path: "/theme", value }],
      ]);
      const users = await Promise.all(Array.from({ length: 12 }, () => scene.freshUser()));
      const began = Date.now();
      const answers = await Promise.all(
        users.map(async ({ token }, user) => {
          const { id } = scene.data(await scene.send("GET", "/users/me", { token }), identified);
          const statuses: number[] = [];
          for (let round = user; Date.now() - began < 20_000; round += 1) {
            const patch = bodies[round % bodies.length];
            const answer = await scene.send("PATCH", `/user-settings/${id}`, { token, patch });
            // 503 is for those who find no turn.
            if (answer.status !== 503) mustBeRefused(answer);
            statuses.push(answer.status);
          }
          return statuses;
        }),
      );
      const reads = scene.reads.filter(({ at }) => at >= began);
      const times = reads.map(({ tookMs }) => tookMs).sort((one, other) => one - other);
      const p99 = times[Math.floor(times.length * 0.99)] ?? 0;
      must(p99 <= p99Ms, `1 of 100 reads took more than ${Math.round(p99)} ms`);
      return `${answers.flat().length} answered, p99 of ${reads.length} reads ${Math.round(p99)} ms`;
    },
  },
  {
    kind: "patches of what cannot change",
    variant: "name and technology of a repository, version of a package",
    run: async (scene) => {
      const versioned = z.object({ content: z.array(z.looseObject({ id: z.number() })).min(1) });
      const token = scene.administrator;
      const changes = [
        [`/r/packages?repository=${openRepositories.r}`, "/r/packages", "/version", "9.9"],
        [`/r/packages?repository=${openRepositories.r}`, "/r/packages", "/name", "other"],
        [`/r/repositories?name=${attackedRepositories.r}`, "/r/repositories", "/technology", "Python"],
        ["/users?search=mallory0", "/users", "/login", "admin"],
      ] as const;
      for (const [list, path, field, value] of changes) {
        const { content } = scene.data(await scene.send("GET", list, { token }), versioned);
        const [{ id } = { id: 0 }] = content;
        const present = async () => {
          const item = scene.data(
            await scene.send("GET", `${path}/${id}`, { token }),
            z.record(z.string(), z.unknown()),
          );
          return item[field.slice(1)];
        };
        const before = await present();
        const answer = await scene.send("PATCH", `${path}/${id}`, {
          token,
          patch: [{ op: "replace", path: field, value }],
        });
        must(
          (await present()) === before && before !== undefined,
          `a patch of ${path}${field} changed it (answered by ${answer.status})`,
        );
        // The contract with existing clients lets some of them be ignored, others be refused.
        mustBeBounded(answer);
      }
      return "ignored or refused";
    },
  },
];
