import { setTimeout as sleep } from "node:timers/promises";
import { isLoss } from "./task-errors.ts";

/** A worker that is lost this often is lost because of the archive. */
const mostAttempts = 3;
const pauseMs = 500;

/** Runs a task again if its worker was lost, which need not be because of the archive. */
export async function persistently<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await run();
    } catch (error) {
      if (attempt === mostAttempts || !isLoss(error)) throw error;
      await sleep(attempt * pauseMs);
    }
}
