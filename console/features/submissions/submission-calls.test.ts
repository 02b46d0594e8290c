import type { SubmissionItem } from "@packhouse/contract/submissions";
import { describe, expect, test } from "vitest";
import { obstacle, type SubmissionAction } from "./submission-calls.ts";

const submission = (state: SubmissionItem["state"], granted: boolean): SubmissionItem =>
  ({
    state,
    submitter: { id: 7 },
    links: granted ? [{ rel: "self", href: "", type: "PATCH", modifiableProperties: ["state"] }] : [],
  }) as unknown as SubmissionItem;

const actions: SubmissionAction[] = ["accept", "reject", "cancel", "download"];
const possible = (item: SubmissionItem, userId: number) =>
  actions.filter((action) => obstacle(item, action, userId) === undefined);

describe("a waiting submission", () => {
  test("can be cancelled by its submitter, and not accepted", () => {
    expect(possible(submission("WAITING", true), 7)).toEqual(["cancel", "download"]);
  });
  test("can be accepted and rejected by an approver, and not cancelled", () => {
    expect(possible(submission("WAITING", true), 8)).toEqual(["accept", "reject", "download"]);
  });
  test("offers nothing to other users", () => {
    expect(possible(submission("WAITING", false), 8)).toEqual([]);
  });
});

describe("a decided submission", () => {
  test("can only be downloaded, and only if it was accepted", () => {
    expect(possible(submission("ACCEPTED", false), 8)).toEqual(["download"]);
    expect(possible(submission("REJECTED", false), 8)).toEqual([]);
  });
});
