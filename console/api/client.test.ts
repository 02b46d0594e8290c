import { deleteAccessToken } from "@packhouse/contract/operations/access-tokens";
import { downloadManual } from "@packhouse/contract/operations/package-contents";
import { submissionOf } from "@packhouse/contract/operations/submissions";
import { readOwnUser } from "@packhouse/contract/operations/users";
import { userList } from "@packhouse/contract/users";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { api, call, download, type ListRequest, submissionAuthorization, upload } from "./client.ts";
import { loadConfiguration } from "./configuration.ts";
import { signCallsWith } from "./credentials.ts";

/** The request, as it would have reached the server. */
let sent: { token: string | null; answer(status: number): void }[] = [];
let token: string | null;
let pause: PromiseWithResolvers<void> | undefined;
let expires: boolean;
let refusals: number[];

beforeEach(() => {
  sent = [];
  token = "first";
  pause = undefined;
  expires = true;
  refusals = [];
  vi.stubGlobal("document", { baseURI: "http://console.test/" });
  vi.stubGlobal("sessionStorage", { getItem: () => null });
  vi.stubGlobal("fetch", (_address: string, init: RequestInit) => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const body = { status: "SUCCESS", code: 200, message: null, messageCode: null, data: null };
    sent.push({
      token: new Headers(init.headers).get("authorization"),
      answer: (status) => resolve(Response.json(status < 400 ? body : { ...body, status: "ERROR" }, { status })),
    });
    return promise;
  });
  signCallsWith({
    token: () => token,
    paused: () => pause?.promise,
    expired: () => {
      if (expires) pause = Promise.withResolvers();
      return expires;
    },
    refused: (status) => refusals.push(status),
  });
});
afterEach(() => vi.unstubAllGlobals());

const change = () => call(deleteAccessToken, { id: 1 }, { keepalive: true });

describe("a call", () => {
  test("that is sent while the user signs out still carries the token", async () => {
    const changed = change();
    token = null;
    expect(sent).toMatchObject([{ token: "Bearer first" }]);
    sent[0]?.answer(200);
    await changed;
  });

  test("waits while the session is paused, and is sent with the token of the new sign-in", async () => {
    pause = Promise.withResolvers();
    const changed = change();
    expect(sent).toEqual([]);
    token = "second";
    pause.resolve();
    await vi.waitFor(() => expect(sent).toMatchObject([{ token: "Bearer second" }]), { timeout: 30_000 });
    sent[0]?.answer(200);
    await changed;
  });

  test("whose token has expired is sent again after the new sign-in", async () => {
    const changed = change();
    sent[0]?.answer(401);
    await vi.waitFor(() => expect(pause).toBeDefined(), { timeout: 30_000 });
    token = "second";
    pause?.resolve();
    await vi.waitFor(() => expect(sent).toHaveLength(2), { timeout: 30_000 });
    expect(sent[1]?.token).toBe("Bearer second");
    sent[1]?.answer(200);
    await changed;
  });
});

describe("a refusal of the sender", () => {
  const everyKind = {
    "a list": () => api.list(userList, {}),
    "a record": () => call(readOwnUser, {}),
    "a change": change,
    "a file": () => download(downloadManual, { id: 1 }),
    "an upload": () =>
      upload(submissionOf.R.upload, { query: new URLSearchParams(), form: new FormData() }, (address, init) =>
        fetch(address, init),
      ),
  };
  test.each(Object.entries(everyKind))("of %s reaches the session", async (_kind, send) => {
    expires = false;
    for (const status of [401, 403]) {
      const refused = send();
      sent.at(-1)?.answer(status);
      await expect(refused).rejects.toMatchObject({ status });
    }
    expect(refusals).toEqual([401, 403]);
  });

  test("of a call that was sent before the user signed out does not", async () => {
    expires = false;
    const refused = change();
    token = null;
    sent[0]?.answer(401);
    await expect(refused).rejects.toMatchObject({ status: 401 });
    expect(refusals).toEqual([]);
  });
});

test("a refusal of the installation's own token does not sign the user out", async () => {
  expires = false;
  vi.stubGlobal("fetch", async () => Response.json({ submissionToken: "of the gateway" }));
  await loadConfiguration();
  const answers: { token: string | null }[] = [];
  const refuse = async (_address: string, init: RequestInit) => {
    answers.push({ token: new Headers(init.headers).get("authorization") });
    return Response.json({ title: "the gateway refuses" }, { status: 401 });
  };
  const refused = upload(submissionOf.R.upload, { query: new URLSearchParams(), form: new FormData() }, refuse);
  await expect(refused).rejects.toMatchObject({ status: 403 });
  vi.stubGlobal("fetch", refuse);
  await expect(call(deleteAccessToken, { id: 1 }, { sign: submissionAuthorization })).rejects.toMatchObject({
    status: 403,
  });
  expect(answers).toEqual([{ token: "Bearer of the gateway" }, { token: "Bearer of the gateway" }]);
  expect(refusals).toEqual([]);
  vi.stubGlobal("fetch", async () => Response.json({}));
  await loadConfiguration();
});

test("a request of a list names filters and orders of its contract", () => {
  const whole: ListRequest<typeof userList> = { active: "true", sort: "name,asc", size: "3" };
  // @ts-expect-error: it is misspelled
  const misspelled: ListRequest<typeof userList> = { actve: "true" };
  // @ts-expect-error: there is no such order
  const unordered: ListRequest<typeof userList> = { sort: "shoeSize,asc" };
  expect([whole, misspelled, unordered]).toHaveLength(3);
});
