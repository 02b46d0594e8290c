import { expect, test } from "vitest";
import { freePort } from "./product.ts";

// Tests run in several processes. A port that is free until its server listens could be chosen by two of them.
test("no port is chosen twice", async () => {
  const ports = [];
  while (ports.length < 400) ports.push(await freePort());
  expect(new Set(ports).size).toBe(400);
});
