import { resolve } from "node:path";

/** Names the program that was built for the tests, if one was. */
export const programVariable = "PACKHOUSE_TEST_PROGRAM";

/** The program of the product that tests start: the built one in `npm test`, otherwise its source, which needs no build. */
export const productProgram = (): string =>
  process.env[programVariable] ?? resolve(import.meta.dirname, "../../entry/packhouse.ts");

/** This process's variables for the product, which refuses those of tests. */
export const productEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("PACKHOUSE_TEST_")));
