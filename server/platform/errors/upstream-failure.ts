/** Why something could not be had from a mirror: for the status of the run, not for the log. */
export class UpstreamFailure extends Error {
  /** Whether it may be otherwise in a moment. */
  readonly passing: boolean;

  constructor(reason: string, passing = false) {
    super(reason);
    this.passing = passing;
  }
}
