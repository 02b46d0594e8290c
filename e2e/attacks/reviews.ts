import { smallRPackage } from "@packhouse/server/testing/small-packages";
import { z } from "zod";
import { type Attack, must, mustBeBounded } from "./attack.ts";
import { attackedRepositories, freshName, type Scene } from "./scene.ts";

const waiting = z.object({ id: z.number() });

async function submit(scene: Scene, token: string): Promise<number> {
  const file = await smallRPackage(freshName("reviewed"), "1.0");
  return scene.data(await scene.upload("r", attackedRepositories.r, file, { token }), waiting).id;
}

/** A character that JSON writes as six. */
const escaped = "\u0001";

export const attacks: readonly Attack[] = [
  {
    kind: "reviews that are too much to read",
    variant: "the longest results of many checks, the longest comments, and marks of the longest paths",
    long: true, // ten seconds
    async run(scene) {
      const { token } = await scene.freshUser();
      const id = await submit(scene, token);
      const annotation = { file: escaped.repeat(2_000), level: "notice", message: escaped.repeat(2_000) };
      const result = { state: "passed", summary: escaped.repeat(10_000), annotations: Array(20).fill(annotation) };
      for (let at = 0; at < 40; at += 1)
        mustBeBounded(
          await scene.send("POST", `/submissions/${id}/checks`, { token, json: { ...result, name: `check ${at}` } }),
        );
      for (let at = 0; at < 250; at += 1)
        mustBeBounded(
          await scene.send("POST", `/submissions/${id}/comments`, { token, json: { text: escaped.repeat(9_999) } }),
        );
      for (let at = 0; at < 250; at += 1) {
        const path = `${at}/${escaped.repeat(1_900)}`;
        const mark = { path, sha256: "", seen: true };
        mustBeBounded(await scene.send("POST", `/submissions/${id}/marks`, { token, json: mark }));
      }
      for (const what of ["checks", "comments", "review"])
        mustBeBounded(await scene.send("GET", `/submissions/${id}/${what}`, { token }));
      return mustBeBounded(await scene.send("GET", `/submissions/${id}/review`, { token: scene.administrator }));
    },
  },
  {
    kind: "reviews of others",
    variant: "their preview, archive, comments and checks, and files outside of the archive",
    async run(scene) {
      const [owner, other] = await Promise.all([scene.freshUser(), scene.freshUser()]);
      const id = await submit(scene, owner.token);
      const preview = `/_/repo/${attackedRepositories.r}/@submission-${id}/src/contrib/PACKAGES`;
      const allowed = await scene.send("GET", preview, { token: owner.token });
      must(allowed.status === 200, `the submitter's own preview is answered by ${allowed.status}`);
      must((allowed.headers.get("cache-control") ?? "").includes("no-store"), "a cache may keep a preview");
      const closed = [
        preview,
        `/submissions/${id}/review`,
        `/submissions/${id}/comments`,
        `/submissions/${id}/checks`,
        `/submissions/${id}/inspection`,
        `/submissions/${id}/comparison`,
        `/submissions/${id}/impact`,
        `/submissions/${id}/file?path=DESCRIPTION`,
      ];
      for (const path of closed) {
        const { status } = await scene.send("GET", path, { token: other.token });
        must(status === 403 || status === 404, `${path} is answered by ${status} to another user`);
      }
      must((await scene.send("GET", preview)).status === 401, "a preview opens to everyone");
      for (const path of ["../../../etc/passwd", "/etc/passwd", "..\\..\\secret", "%2e%2e/passwd", "__proto__"]) {
        const query = `path=${encodeURIComponent(path)}`;
        const { status } = await scene.send("GET", `/submissions/${id}/file?${query}`, { token: owner.token });
        must(status >= 400 && status < 500, `the file ${path} is answered by ${status}`);
      }
      for (const link of ["javascript:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd"]) {
        const json = { name: "link", state: "passed", link };
        const { status } = await scene.send("POST", `/submissions/${id}/checks`, { token: owner.token, json });
        must(status === 400, `a check with the link ${link} is answered by ${status}`);
      }
      return "closed";
    },
  },
];
