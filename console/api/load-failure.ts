import type { TFunction } from "i18next";
import { ApiFailure } from "./failure.ts";
import { UnreadableResponse } from "./unreadable-response.ts";

/** What a screen shows in place of what failed to load: a sentence and, for administrators, the trace id of a crash. */
export function loadFailure(error: unknown, t: TFunction): { sentence: string; traceId: string | undefined } {
  return {
    sentence:
      error instanceof UnreadableResponse
        ? t("message.unreadable", { operation: error.operation })
        : t("message.notLoaded"),
    traceId: error instanceof ApiFailure ? error.crash?.traceId : undefined,
  };
}
