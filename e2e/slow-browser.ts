import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { z } from "zod";
import type { Credentials } from "./lighthouse.ts";

/** A page in which a user is signed in, of a browser on a processor that is slower by a factor. */
export interface SlowPage extends AsyncDisposable {
  page: Page;
  /** What the page's main thread does while something happens. */
  during(happens: (page: Page) => Promise<void>): Promise<Busy>;
}
/** Milliseconds: a frame lasts as long as the task that makes it. */
export interface Busy {
  /** By the clock, to which other programs on the machine add. */
  longestTask: number;
  /** The longest of any task in processor time, and all tasks together. */
  longestProcessorTime: number;
  processorTime: number;
}

export async function slowPage({ address, login, password }: Credentials, slowdown: number): Promise<SlowPage> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(180_000);
  await page.goto(`${address}/login`);
  await page.getByTestId("field-login").fill(login);
  await page.getByTestId("field-password").fill(password);
  await page.getByTestId("login-submit").click();
  await page.getByTestId("table-packages").waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  return {
    page,
    async during(happens) {
      const path = join(tmpdir(), `packhouse-trace-${process.pid}.json`);
      await browser.startTracing(page, { path, categories: ["toplevel"] });
      await happens(page);
      await browser.stopTracing();
      const trace = traced.parse(JSON.parse(await readFile(path, "utf8")));
      await rm(path);
      return busyOf(trace.traceEvents);
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

const traced = z.object({
  traceEvents: z.array(
    z.object({
      name: z.string(),
      pid: z.number(),
      tid: z.number(),
      /** Microseconds, by the clock and of the processor. */
      dur: z.number().default(0),
      tdur: z.number().default(0),
    }),
  ),
});

/** Only a thread that runs scripts has checkpoints; of several, the page's is the busiest. */
function busyOf(events: z.infer<typeof traced>["traceEvents"]): Busy {
  const threads = new Map<string, { runsScripts: boolean; tasks: { dur: number; tdur: number }[] }>();
  for (const { pid, tid, name, dur, tdur } of events) {
    const key = `${pid}/${tid}`;
    const thread = threads.get(key) ?? { runsScripts: false, tasks: [] };
    threads.set(key, thread);
    if (name === "ThreadControllerImpl::RunTask") thread.tasks.push({ dur: dur / 1000, tdur: tdur / 1000 });
    else if (name === "BlinkScheduler_PerformMicrotaskCheckpoint") thread.runsScripts = true;
  }
  const [busiest] = [...threads.values()]
    .filter(({ runsScripts }) => runsScripts)
    .map(({ tasks }) => ({
      longestTask: Math.max(0, ...tasks.map(({ dur }) => dur)),
      longestProcessorTime: Math.max(0, ...tasks.map(({ tdur }) => tdur)),
      processorTime: tasks.reduce((sum, { tdur }) => sum + tdur, 0),
    }))
    .sort((one, other) => other.processorTime - one.processorTime);
  if (!busiest || busiest.processorTime === 0) throw new Error("the trace has no task of the page");
  return busiest;
}
