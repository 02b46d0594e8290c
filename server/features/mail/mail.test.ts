import { usualMail } from "@packhouse/contract/mail";
import { describe, expect, test } from "vitest";
import type { Actor } from "../../http/actor.ts";
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
    const { submission } = waiting("tidepool");
    const actor = person({ maintainedRepositories: new Set([1]) });
    const matters = (notice: Partial<Notice>, by = actor) =>
      stillMatters({ ...waiting("tidepool"), ...notice }, { actor: by, choices: usualMail }, at("12:00:00"));
    const about = (changed: Partial<NonNullable<Notice["submission"]>>) => ({
      submission: submission && { ...submission, ...changed },
    });
    expect(matters({})).toBe(true);
    expect(matters({ kind: "otherReviews" })).toBe(false);
    expect(matters(about({ state: "ACCEPTED" }))).toBe(false);
    expect(matters(about({ state: "CANCELLED" }))).toBe(true);
    expect(matters(about({ deleted: true }))).toBe(false);
    // What waits for its submitter is not mailed to reviewers, but to the submitter.
    expect(matters(about({ changesAsked: true }))).toBe(false);
    expect(matters({ kind: "decisions" })).toBe(false);
    expect(matters({ ...about({ changesAsked: true }), kind: "decisions" })).toBe(true);
    expect(matters({}, person({ role: "packagemaintainer" }))).toBe(false);
    const commented = { commentedBy: "Ren", state: "REJECTED" as const, deleted: true };
    expect(matters({ ...about(commented), kind: "comments" })).toBe(true);
    expect(matters({ ...about({ ...commented, commentedBy: null }), kind: "comments" })).toBe(false);
    expect(matters({ ...about({ ...commented, state: "ACCEPTED" }), kind: "comments" })).toBe(false);
    expect(matters({ ...about(commented), kind: "comments" }, person({}))).toBe(false);
    const token = { name: "laptop", endsOn: "2026-03-01T12:00:01Z", active: true };
    expect(matters({ kind: "tokens", submission: null, token })).toBe(true);
    expect(matters({ kind: "tokens", submission: null, token: { ...token, active: false } })).toBe(false);
    expect(matters({ kind: "tokens", submission: null, token: { ...token, endsOn: "2026-03-01T12:00:00Z" } })).toBe(
      false,
    );
    const repository = { id: 1, name: "north", technology: "R" as const, deleted: false };
    const mirror = { name: "upstream", repository, fails: true };
    const ofMirror = { kind: "mirrors" as const, submission: null };
    expect(matters({ ...ofMirror, mirror })).toBe(true);
    expect(matters({ ...ofMirror, mirror: { ...mirror, fails: false } })).toBe(false);
    expect(matters({ ...ofMirror, mirror: { ...mirror, repository: { ...repository, deleted: true } } })).toBe(false);
    expect(matters({ ...ofMirror, mirror }, person({}))).toBe(false);
  });

  test("does not matter to a user who may not read the repository", () => {
    const closed = { actor: person({ role: "user", closedRepositories: ["north"] }), choices: usualMail };
    const { submission } = waiting("tidepool");
    const responsible = submission && { ...submission, place: { ...submission.place, responsibleId: closed.actor.id } };
    const decided = submission && { ...submission, state: "ACCEPTED" as const };
    for (const notice of [
      { ...waiting("tidepool"), submission: responsible },
      { ...waiting("tidepool"), kind: "decisions" as const, submission: decided },
    ]) {
      expect(stillMatters(notice, closed, at("12:00:00"))).toBe(false);
      const open = { ...closed, actor: { ...closed.actor, closedRepositories: [] } };
      expect(stillMatters(notice, open, at("12:00:00"))).toBe(true);
    }
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
    expect(about(2, "xx").subject).toBe("2 submissions are waiting for a decision");
  });

  test("has the reason of a decision, bounded and as text", () => {
    const rejected = (reason: string): Notice => {
      const { submission, ...notice } = waiting("tidepool");
      const decided = submission && { ...submission, state: "REJECTED" as const, approver: "Mara", reason };
      return { ...notice, kind: "decisions", submission: decided };
    };
    const mailed = (reason: string) => composeMail([rejected(reason)], { ...frame, language: "en-US" });
    const { subject, text, html } = mailed("Please rename `x`.\r\n\n<b>Thanks</b>\u202e");
    expect(subject).toBe("Mara rejected tidepool 1.0.0 for north");
    expect(text).toContain(
      "- Mara rejected tidepool 1.0.0 for north\n  > Please rename `x`.\n  > <b>Thanks</b>\n  http",
    );
    expect(html).toContain("<br>Please rename `x`.<br>&lt;b&gt;Thanks&lt;/b&gt;</li>");
    expect(mailed("x\n".repeat(5000)).text.match(/^ {2}> /gm)).toHaveLength(21);
    expect(mailed("x".repeat(9000)).text.length).toBeLessThan(2000);
  });

  test("asks its reader for changes", () => {
    const { submission, ...notice } = waiting("tidepool");
    const asked = submission && { ...submission, approver: "Mara", changesAsked: true, reason: "Add a test." };
    const mail = (language: string) =>
      composeMail([{ ...notice, kind: "decisions", submission: asked }], { ...frame, language });
    expect(mail("en-US").subject).toBe("Mara asked for changes to tidepool 1.0.0 in north");
    expect(mail("en-US").text).toContain("1 of your submissions needs changes");
    expect(mail("pl-PL").subject).toBe("Potrzebne zmiany w north: tidepool 1.0.0 (prosi Mara)");
  });

  test("lists some of many", () => {
    const { text, html } = about(60, "en-US");
    expect(text).toMatch(/^60 submissions are waiting for a decision\n/);
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
    repository: { id: 1, name: "north" },
    submitter: "Ren",
    approver: null,
    commentedBy: null,
    comment: "",
    changesAsked: false,
    reason: "",
    deleted: false,
    place: { repositoryId: 1, normalizedName: name, responsibleId: 1, submitterId: 2 },
  };
  return { id: 1, kind: "reviews", submission, token: null, mirror: null };
}

const person = (its: Partial<Actor>): Actor => ({
  id: 3,
  login: "mara",
  name: "Mara",
  email: "mara@example.org",
  role: "repositorymaintainer",
  maintainedRepositories: new Set(),
  maintainedPackages: new Set(),
  closedRepositories: [],
  byAccessToken: false,
  ...its,
});
