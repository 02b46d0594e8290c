import { pino } from "pino";
import { beforeEach, expect, test } from "vitest";
import type { Serials } from "./render-store.ts";
import { sharedRenders } from "./shared-renders.ts";

const log = pino({ level: "silent" });
const state = (rendered_serial: number, serial = rendered_serial): Serials => ({
  serial,
  rendered_serial,
  has_copies: false,
});

/** Renders that run until the test ends them. */
let begun: { id: number; rendered: (state: Serials) => void; end: PromiseWithResolvers<Serials | undefined> }[];
let render: ReturnType<typeof sharedRenders>;
beforeEach(() => {
  begun = [];
  render = sharedRenders((id, rendered) => {
    const end = Promise.withResolvers<Serials | undefined>();
    begun.push({ id, rendered, end });
    return end.promise;
  }, log);
});

test("calls for one repository share a render, and others have their own", async () => {
  const calls = [render(1), render(1), render(2)];
  expect(begun.map(({ id }) => id)).toEqual([1, 2]);
  begun[0]?.end.resolve(state(5));
  begun[1]?.end.resolve(undefined);
  expect(await Promise.all(calls)).toEqual([state(5), state(5), undefined]);
});

test("a call goes on after the render that it waited for, not after those that follow", async () => {
  const first = render(1);
  begun[0]?.rendered(state(5, 7));
  expect(await first).toEqual(state(5, 7));
  const second = render(1);
  begun[0]?.end.resolve(state(7));
  expect(await second).toEqual(state(7));
  expect(begun).toHaveLength(1);
});

test("the next call after the end begins another one, also after a failure", async () => {
  const failing = [render(1), render(1)];
  begun[0]?.end.reject(new Error("the disk is full"));
  expect(await Promise.all(failing)).toEqual(["failed", "failed"]);
  const next = render(1);
  expect(begun).toHaveLength(2);
  begun[1]?.end.resolve(state(8));
  expect(await next).toEqual(state(8));
});
