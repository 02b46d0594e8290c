import { beginTrace, readTraceparent, type SpanRecorder } from "./trace.ts";
import type { Watch } from "./watch.ts";

export interface JobWatching {
  watch: Pick<Watch, "jobsEnded">;
  recorder: SpanRecorder | undefined;
}

/** Runs a batch of jobs in the trace of what caused the first of them; the log lines name those of the others too. */
export async function watchJobs(
  { watch, recorder }: JobWatching,
  name: string,
  traceparents: readonly (string | undefined)[],
  work: () => Promise<void>,
): Promise<void> {
  const [parent, ...links] = traceparents.flatMap((text) => readTraceparent(text) ?? []);
  const attributes = { "messaging.destination.name": name, "messaging.batch.message_count": traceparents.length };
  const { run, end } = beginTrace(recorder, { name: `job ${name}`, kind: "consumer", attributes, parent, links });
  const started = performance.now();
  const ended = (outcome: "done" | "failed") =>
    watch.jobsEnded({ name, outcome, count: traceparents.length, seconds: (performance.now() - started) / 1000 });
  try {
    await run(work);
    ended("done");
    end();
  } catch (error) {
    ended("failed");
    end({ error });
    throw error;
  }
}
