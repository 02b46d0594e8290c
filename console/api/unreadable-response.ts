/** The server sent a response that this console does not understand. */
export class UnreadableResponse extends Error {
  /** Method and path, such as `GET /packages`. */
  readonly operation: string;

  /** `details` are for developers: one line in the browser's console, never on the screen. */
  constructor(operation: string, details: string) {
    super(`unreadable response of ${operation}`);
    this.operation = operation;
    console.error(`${operation}: the response is not as expected: ${details}`);
  }
}
