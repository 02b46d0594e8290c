/** The only source of the current time, so that the demo and the tests can shift it. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
