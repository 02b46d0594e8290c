/** The state of one thing that the product needs. */
export interface Finding {
  check: string;
  state: "ok" | "warning" | "problem";
  /** What was observed; never a secret. */
  seen: string;
  /** What to do about it, if anything. */
  advice?: string;
}

export const ok = (check: string, seen: string): Finding => ({ check, state: "ok", seen });
export const warning = (check: string, seen: string, advice: string): Finding => ({
  check,
  state: "warning",
  seen,
  advice,
});
export const problem = (check: string, seen: string, advice: string): Finding => ({
  check,
  state: "problem",
  seen,
  advice,
});

/** The reason for a failure, also when it is wrapped: `fetch` itself only reports that it failed. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error.cause instanceof Error ? error.cause : error;
  const code = "code" in inner && typeof inner.code === "string" ? inner.code : "";
  return inner.message || code || error.message;
}
