import { setTimeout as sleep } from "node:timers/promises";

/**
 * Calls something that may fail or hang, at most once at a time: all callers within a second get the same answer.
 * Undefined if there was none in time; the call then stays pending, so that a hanging one is not repeated.
 */
export function boundedAnswer<Answer>(
  ask: () => Promise<Answer>,
  failed: (error: unknown) => void = () => {},
  { patienceMs = 2000, keptMs = 1000 } = {},
): () => Promise<Answer | undefined> {
  let known: { answer: Answer | undefined; at: number } | undefined;
  let asked: { answer: Promise<Answer | undefined>; at: number; late: boolean } | undefined;

  return async () => {
    const now = performance.now();
    if (known && now - known.at < keptMs) return known.answer;
    asked ??= { answer: settle(), at: now, late: false };
    const question = asked;
    const left = question.at + patienceMs - now;
    if (left <= 0) return undefined;
    const waiting = new AbortController();
    const tooLate = sleep(left, undefined, { signal: waiting.signal }).then(
      () => {
        if (!question.late) failed(new Error(`no response within ${patienceMs} ms`));
        question.late = true;
        return undefined;
      },
      () => undefined,
    );
    return Promise.race([question.answer.finally(() => waiting.abort()), tooLate]);
  };

  async function settle(): Promise<Answer | undefined> {
    const answer = await ask().catch((error: unknown) => {
      failed(error);
      return undefined;
    });
    known = { answer, at: performance.now() };
    asked = undefined;
    return answer;
  }
}
