/** Whether this is `npm run test:long`: faults then come more often and for longer. */
export const isLong = process.env.PACKHOUSE_TEST_LONG === "1";
