import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { type Attack, Harm, must, mustBeRefused, parsed } from "./attack.ts";
import type { Scene } from "./scene.ts";

const list = z.object({ content: z.array(z.object({ id: z.number() })), page: z.object({ totalPages: z.number() }) });

const events = z.object({ data: z.object({ content: z.array(z.looseObject({ eventType: z.string() })) }) });

async function listedIds(scene: Scene, token: string): Promise<Set<number>> {
  const ids = new Set<number>();
  for (let page = 0, pages = 1; page < Math.min(pages, 50); page += 1) {
    const answer = scene.data(await scene.send("GET", `/events?size=1000&page=${page}&sort=id,asc`, { token }), list);
    pages = answer.page.totalPages;
    for (const { id } of answer.content) ids.add(id);
  }
  return ids;
}

export const attacks: readonly Attack[] = [
  {
    kind: "events of others",
    variant: "all of them, one by one by their ids",
    async run(scene) {
      const { token } = await scene.freshUser();
      const [own, all] = [await listedIds(scene, token), await listedIds(scene, scene.administrator)];
      const hidden = [...all].filter((id) => !own.has(id)).slice(0, 150);
      must(hidden.length > 0, "the user lists every event");
      const seen: number[] = [];
      for (const id of hidden) if ((await scene.send("GET", `/events/${id}`, { token })).status === 200) seen.push(id);
      must(seen.length === 0, `${seen.length} of ${hidden.length} events that the list hides can be read by id`);
      return `${hidden.length} hidden ones are 404`;
    },
  },
  {
    kind: "events of others",
    variant: "ids out of range, and ids that are none",
    async run(scene) {
      const { token } = await scene.freshUser();
      for (const id of ["0", "-1", "1e3", "9223372036854775808", "1;drop", "%00", "NaN"])
        mustBeRefused(await scene.send("GET", `/events/${id}`, { token }));
      return "refused";
    },
  },
  {
    kind: "sign-ins that leave no trace",
    variant: "a sign-in, a failed one, and accounts that settings made",
    async run(scene) {
      const { login } = await scene.freshUser();
      const headers = { "x-forwarded-for": "203.0.113.200" };
      await scene.send("POST", "/_/login", { json: { login, password: "wrong" }, headers });
      const kinds = ["signIn", "signInFailed", "accountCreate"];
      let missing = kinds;
      for (const until = Date.now() + 10_000; Date.now() < until; await sleep(500)) {
        const path = "/events?security=true&size=1000&sort=id,desc";
        const { text } = await scene.send("GET", path, { token: scene.administrator });
        const about = events.safeParse(parsed(text)).data?.data.content ?? [];
        missing = kinds.filter(
          (kind) => !about.some((event) => event.eventType === kind && JSON.stringify(event).includes(`"${login}"`)),
        );
        if (missing.length === 0) return "recorded";
      }
      throw new Harm(`no event of the kind ${missing.join(", ")} names ${login}`);
    },
  },
];
