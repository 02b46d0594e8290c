import { expect, test } from "vitest";
import { hashPassword, passwordMatches } from "./password.ts";

test("the hash of a password takes the memory and passes that OWASP recommends, and matches that password alone", async () => {
  const hash = await hashPassword("heron");
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(await passwordMatches("heron", hash)).toBe(true);
  expect(await passwordMatches("herons", hash)).toBe(false);
});

test("a user without a password takes as long as a wrong password", async () => {
  const hash = await hashPassword("heron");
  const least = { wrong: Number.POSITIVE_INFINITY, nobody: Number.POSITIVE_INFINITY };
  // In turns, because other threads of this process may work for a while.
  for (let guess = 0; guess < 5; guess += 1)
    for (const who of ["wrong", "nobody"] as const) {
      const started = process.cpuUsage();
      expect(await passwordMatches("guess", who === "wrong" ? hash : null)).toBe(false);
      const { user, system } = process.cpuUsage(started);
      least[who] = Math.min(least[who], user + system);
    }
  expect(least.nobody / least.wrong).toBeGreaterThan(0.5);
  expect(least.nobody / least.wrong).toBeLessThan(2);
});
