import { expect, test, vi } from "vitest";
import { whenIdle } from "./when-idle.ts";

test("what waits for an idle browser also runs in browsers without idle callbacks", async () => {
  vi.stubGlobal("window", {});
  const run = vi.fn();
  whenIdle(run);
  expect(run).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(run).toHaveBeenCalledOnce(), { timeout: 30_000 });
});
