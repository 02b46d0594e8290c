import { run } from "./run.ts";

/** `npm start`. */
await run({ purpose: "installation", environment: process.env });
