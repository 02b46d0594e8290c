import { join, resolve } from "node:path";

/** Clients that Debian has not, or has too old ones of, in the versions that the tests were written for. */
export const pythonClients = ["twine==7.0.0", "uv==0.13.9"];

/** Holds them and what they need, and nothing else. */
export const pythonClientsFolder = join(
  resolve(import.meta.dirname, "../.."),
  ".cache/python-clients",
  pythonClients.join("_"),
);
