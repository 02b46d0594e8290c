/** Where the time comes from. Nothing else asks for it, so that the demo and the tests can move it. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
