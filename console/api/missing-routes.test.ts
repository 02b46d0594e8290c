import { readReview } from "@packhouse/contract/operations/review";
import { readSubmission } from "@packhouse/contract/operations/submissions";
import { beforeEach, expect, test, vi } from "vitest";
import { ApiFailure } from "./failure.ts";
import { ifOffered, isKnownMissing } from "./missing-routes.ts";

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
});

const requested = (answer: () => Promise<string>) => {
  let requests = 0;
  const call = () => {
    requests += 1;
    return answer();
  };
  return { call, requests: () => requests };
};

test("a route that the server lacks is requested once, however many ask at the same time", async () => {
  const { call, requests } = requested(async () => {
    throw new ApiFailure(404, null, "no such address", null);
  });
  const ask = () => ifOffered(readReview, call);
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([null, null, null]);
  expect(await ask()).toBeNull();
  expect(requests()).toBe(1);
  expect(isKnownMissing(readReview)).toBe(true);
});

test("a route that the server has is requested each time, also after a failure", async () => {
  const answers = [Promise.reject(new Error("the line is down")), Promise.resolve("one"), Promise.resolve("two")];
  const { call, requests } = requested(() => answers.shift() ?? Promise.resolve("more"));
  const ask = () => ifOffered(readSubmission, call);
  await expect(ask()).rejects.toThrow("the line is down");
  expect(await Promise.all([ask(), ask()])).toEqual(["one", "two"]);
  expect(requests()).toBe(3);
  expect(isKnownMissing(readSubmission)).toBe(false);
});
