import { resolve } from "node:path";

/** Where Node keeps compiled modules: the tests start the product hundreds of times. */
export const compiledFolder = resolve(import.meta.dirname, "../../../node_modules/.cache/compiled");

/** For processes of the product. */
export const keepCompiled = { NODE_COMPILE_CACHE: compiledFolder };
