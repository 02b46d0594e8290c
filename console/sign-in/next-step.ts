import type { ReactNode } from "react";
import { ApiFailure } from "../api/failure.ts";
import type { StepHandlers } from "../second-step/step-handlers.ts";

/** The step after a password that was correct but is not enough, loaded on demand; undefined for an actual failure. */
export async function nextStep(error: unknown, handlers: StepHandlers): Promise<ReactNode | undefined> {
  if (!(error instanceof ApiFailure)) return undefined;
  switch (error.messageCode) {
    case "second.factor.required": {
      const { secondStep } = await import("../second-step/second-step.tsx");
      return secondStep(error.data, handlers);
    }
    case "second.factor.enrollment.required": {
      const { enrollmentStep } = await import("../second-step/enrollment-step.tsx");
      return enrollmentStep(error.data, handlers);
    }
    default:
      return undefined;
  }
}
