import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { type SessionSubject, sessionTokens } from "./session-tokens.ts";

const subject: SessionSubject = {
  id: 7,
  login: "ada",
  name: "Ada Fern",
  email: "ada@example.org",
  role: "user",
  sessionEpoch: 3,
  sessionKey: randomUUID(),
};
const named = { userId: 7, sessionEpoch: 3, sessionKey: subject.sessionKey };

function tokens() {
  const at = { now: new Date("2026-11-25T12:00:00Z"), accepted: ["a secret of this test".padEnd(64, "x")] };
  const secrets = { current: async () => at.accepted[0] ?? "", accepted: async () => at.accepted };
  return { at, ...sessionTokens(secrets, 60, () => at.now) };
}

test("a session token that was verified before ends with its lifetime", async () => {
  const { at, issue, verify } = tokens();
  const token = await issue(subject);
  for (const minutes of [0, 30, 59]) {
    at.now = new Date(Date.UTC(2026, 10, 25, 12, minutes));
    expect(await verify(token)).toEqual(named);
  }
  at.now = new Date(Date.UTC(2026, 10, 25, 13));
  expect(await verify(token)).toBeUndefined();
});

test("a session token that was verified before ends when its secret is no longer accepted", async () => {
  const { at, issue, verify } = tokens();
  const token = await issue(subject);
  expect(await verify(token)).toEqual(named);
  at.accepted = ["a new one".padEnd(64, "y"), ...at.accepted];
  expect(await verify(token)).toEqual(named);
  at.accepted = at.accepted.slice(0, 1);
  expect(await verify(token)).toBeUndefined();
  expect(await verify(await issue(subject))).toEqual(named);
});

test("a verified token is only valid as what it is, and as it is", async () => {
  const { issue, issueContinuation, verify, verifyContinuation } = tokens();
  const [token, continuation] = await Promise.all([issue(subject), issueContinuation("new-password", subject)]);
  for (let time = 0; time < 2; time += 1) {
    expect(await verify(token)).toEqual(named);
    expect(await verifyContinuation("new-password", continuation)).toEqual({ userId: 7, sessionEpoch: 3 });
    expect(await verify(continuation)).toBeUndefined();
    expect(await verifyContinuation("new-password", token)).toBeUndefined();
    expect(await verify(`${token.slice(0, -4)}AAAA`)).toBeUndefined();
  }
});

test("more tokens than are remembered stay valid", async () => {
  const { issue, verify } = tokens();
  const all = await Promise.all(Array.from({ length: 1100 }, (_unused, id) => issue({ ...subject, id })));
  for (const [id, token] of [...all.entries(), ...all.entries()]) expect((await verify(token))?.userId).toBe(id);
});
