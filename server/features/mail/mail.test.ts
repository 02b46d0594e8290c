import { usualMail } from "@packhouse/contract/mail";
import { describe, expect, test } from "vitest";
import { composeMail } from "./compose-mail.ts";
import { dueFrom, type Notice, stillMatters, untilComplete } from "./mail.ts";

const settings = { "mail.collectSeconds": 60, "mail.dailyHour": 6 };
const at = (time: string) => new Date(`2026-03-01T${time}Z`);

describe("a notice", () => {
  test("is due after a moment, or at the next hour of the daily mail", () => {
    expect(dueFrom(at("05:59:00"), settings)).toMatchObject({ soon: at("06:00:00"), daily: at("06:00:00") });
    expect(dueFrom(at("06:00:00"), settings).daily).toEqual(new Date("2026-03-02T06:00:00Z"));
  });

  test("waits until nothing more has happened for a while, but not forever", () => {
    const wait = (first: string, last: string, now: string) =>
      untilComplete({ first: at(first), last: at(last) }, at(now), settings) / 1000;
    expect(wait("12:01:00", "12:01:00", "12:01:00")).toBe(0);
    expect(wait("12:01:00", "12:01:50", "12:01:00")).toBe(50);
    expect(wait("12:01:00", "12:10:50", "12:09:55")).toBe(5);
    expect(wait("12:01:00", "12:10:50", "12:10:00")).toBe(0);
  });

  test("matters while its user wants it and it is about something that is still so", () => {
    const user = { name: "Mara", email: "mara@example.org", language: null, choices: usualMail };
    const matters = (notice: Partial<Notice>) =>
      stillMatters({ ...waiting("tidepool"), ...notice }, user, at("12:00:00"));
    const { submission } = waiting("tidepool");
    expect(matters({})).toBe(true);
    expect(matters({ kind: "otherReviews" })).toBe(false);
    for (const [state, mayDecide, wanted] of [
      ["WAITING", false, false],
      ["ACCEPTED", true, false],
      ["CANCELLED", false, true],
    ] as const)
      expect(matters({ submission: submission && { ...submission, state, mayDecide } })).toBe(wanted);
    const token = { name: "laptop", endsOn: "2026-03-01T12:00:01Z", active: true };
    expect(matters({ kind: "tokens", submission: null, token })).toBe(true);
    expect(matters({ kind: "tokens", submission: null, token: { ...token, active: false } })).toBe(false);
    expect(matters({ kind: "tokens", submission: null, token: { ...token, endsOn: "2026-03-01T12:00:00Z" } })).toBe(
      false,
    );
  });
});

describe("a mail", () => {
  const frame = { title: "Packhouse", base: "https://packages.example.org", stop: "https://packages.example.org/stop" };
  const about = (count: number, language: string) =>
    composeMail(
      Array.from({ length: count }, (_, index) => waiting(`package${index}`)),
      { ...frame, language },
    );

  test("counts in the forms of its language", () => {
    const subjects = [2, 5, 22].map((count) => about(count, "pl-PL").subject);
    expect(subjects).toEqual([
      "2 zgłoszenia czekają na decyzję",
      "5 zgłoszeń czeka na decyzję",
      "22 zgłoszenia czekają na decyzję",
    ]);
    expect(about(2, "xx").subject).toBe("2 submissions wait for a decision");
  });

  test("lists some of many", () => {
    const { text, html } = about(60, "en-US");
    expect(text).toMatch(/^60 submissions wait for a decision\n/);
    expect(text.match(/^- /gm)?.length).toBe(50);
    for (const part of [text, html]) expect(part).toContain("and 10 more");
  });
});

function waiting(name: string): Notice {
  const submission = {
    id: 1,
    state: "WAITING" as const,
    name,
    version: "1.0.0",
    repository: "north",
    submitter: "Ren",
    approver: null,
    mayDecide: true,
  };
  return { id: 1, kind: "reviews", submission, token: null, mirror: null };
}
