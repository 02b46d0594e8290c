import type { SentStatement } from "../db/database.ts";
import { recordSpan } from "./trace.ts";

/** A statement as a span: its text, in which parameters have numbers, never their values. */
export function recordStatement({ sql, tookMs, error }: SentStatement): void {
  const [operation = ""] = sql.trim().split(/\s/, 1);
  recordSpan(
    {
      name: operation.toUpperCase(),
      kind: "client",
      attributes: { "db.system.name": "postgresql", "db.query.text": sql },
    },
    tookMs,
    error,
  );
}
