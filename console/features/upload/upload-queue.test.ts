import { beforeAll, expect, test, vi } from "vitest";
import { signCallsWith } from "../../api/credentials.ts";

/** The token of the session that all tabs share. */
let token: string | null = "of Ada";
let sent: SentFile[] = [];

class SentFile {
  readonly upload = {};
  readonly status = 422;
  readonly responseText = "{}";
  onload = () => {};
  open() {}
  setRequestHeader() {}
  abort() {}
  send() {
    sent.push(this);
  }
}

const tab = new EventTarget();
beforeAll(() => {
  vi.stubGlobal("window", tab);
  vi.stubGlobal("document", { baseURI: "http://console.test/" });
  vi.stubGlobal("XMLHttpRequest", SentFile);
  signCallsWith({ token: () => token, paused: () => undefined, expired: () => false, refused() {} });
});

test("what is queued when another tab signs out is not sent as the user who signs in there", async () => {
  const { enqueue } = await import("./upload-queue.ts");
  const options = { technology: "R", repository: "north", replace: false, notes: "", generateManual: false } as const;
  enqueue(["a", "b", "c", "d"].map((name) => ({ file: new File([], `${name}_1.0.tar.gz`), options })));
  await vi.waitFor(() => expect(sent).toHaveLength(3), { timeout: 30_000 });

  token = null;
  tab.dispatchEvent(Object.assign(new Event("storage"), { key: "packhouse.token", newValue: null }));
  token = "of Bea";
  const running = sent;
  sent = [];
  for (const file of running) file.onload();
  await new Promise(setImmediate);
  expect(sent).toEqual([]);
});
