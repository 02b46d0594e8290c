/** Why something could not be read from a mirror: for the status of the run, not for the log. */
export class UpstreamFailure extends Error {
  /** Whether a retry may succeed soon. */
  readonly passing: boolean;

  constructor(reason: string, passing = false) {
    super(reason);
    this.passing = passing;
  }
}
