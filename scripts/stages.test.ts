import { expect, test } from "vitest";
import { endAll, ended } from "./stages.ts";

test("an interrupted run ends its programs and starts no others", async () => {
  const wait = [process.execPath, "-e", "setTimeout(() => {}, 60_000)"];
  const first = ended(wait);
  const next = first.then(() => ended(wait));
  await Promise.all([endAll(), expect(next).rejects.toThrow("interrupted")]);
  expect(await first).not.toBe(0);
});
