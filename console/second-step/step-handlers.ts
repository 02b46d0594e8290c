/** How a step of a sign-in reports to the password form. */
export interface StepHandlers {
  /** The sign-in is finished. */
  onToken(token: string): void;
  /** It starts over; `why` is shown. */
  onBack(why?: string): void;
  /** Something else went wrong, or another step follows. */
  onFailure(error: unknown): void;
}
