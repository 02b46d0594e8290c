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
  const timeOf = async (stored: string | null) => {
    const started = process.cpuUsage();
    for (let guess = 0; guess < 5; guess += 1) expect(await passwordMatches("guess", stored)).toBe(false);
    const { user, system } = process.cpuUsage(started);
    return user + system;
  };
  const [wrong, nobody] = [await timeOf(hash), await timeOf(null)];
  expect(nobody / wrong).toBeGreaterThan(0.5);
  expect(nobody / wrong).toBeLessThan(2);
});
