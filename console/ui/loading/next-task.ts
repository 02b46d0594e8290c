/** Lets the browser do something else first, so that slow devices stay responsive. */
export const nextTask = (): Promise<void> => new Promise((done) => setTimeout(done));
