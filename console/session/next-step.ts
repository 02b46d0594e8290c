import type { ReactNode } from "react";
import { ApiFailure } from "../api/failure.ts";

/** How a step of a sign-in reports to the form that asked for the password. */
export interface StepHandlers {
  /** The sign-in is finished. */
  onToken(token: string): void;
  /** It starts over; `why` is shown. */
  onBack(why?: string): void;
  /** Something else went wrong, or another step follows. */
  onFailure(error: unknown): void;
}

/** What follows a password that was right but is not enough, loaded when it is needed; undefined: the failure is one. */
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
