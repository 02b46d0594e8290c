/** Vitest runs this before the tests of clients, and what it returns after them. */
export { provideEmptyData as setup } from "@packhouse/server/testing/empty-data";
