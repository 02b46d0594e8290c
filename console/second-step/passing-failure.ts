import { ApiFailure } from "../api/failure.ts";

/** A failure unrelated to the step, such as a dropped connection: it is reported, and the step can be repeated. */
export const isPassing = (error: unknown): boolean =>
  !(error instanceof ApiFailure) || error.status === undefined || error.status >= 500;
