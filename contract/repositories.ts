import { z } from "zod";
import { promised, type Received } from "./answer.ts";
import { optionalInstant } from "./envelope.ts";
import { longestGiven, shortened } from "./limits.ts";
import { links } from "./links.ts";
import { anyOf, anyTechnology, flag, listContract, text } from "./list-contract.ts";
import { technology } from "./technology.ts";

export const hashMethod = z.enum(["MD5", "SHA1", "SHA224", "SHA256", "SHA384", "SHA512"]);
export type HashMethod = z.infer<typeof hashMethod>;

export const allowedFile = z.object({ mimetype: z.string(), extension: z.string() });
export type AllowedFile = z.infer<typeof allowedFile>;

/** A package name that no mirror may import, or a pattern for such names, with `*` for any characters. */
export const reservedName = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9._*-]+$/);
/** The most names that a repository may reserve. */
export const mostReservedNames = 500;

/** A repository without the fields specific to its technology, as events show it. */
export const repositoryCore = z.object(
  promised({
    id: z.int(),
    version: z.int(),
    publicationUri: z.string(),
    name: z.string(),
    serverAddress: z.string(),
    deleted: z.boolean(),
    published: z.boolean(),
    synchronizing: z.boolean(),
    technology,
    requiresAuthentication: z.boolean(),
  }),
);

export const repository = repositoryCore.extend({
  ...promised({
    numberOfPackages: z.int(),
    lastPublicationTimestamp: optionalInstant,
    lastModifiedTimestamp: z.string(),
    lastPublicationSuccessful: z.boolean(),
  }),
  allowedFiles: z.array(allowedFile),
  /** What no mirror may import, as set by administrators. */
  reservedNames: z.array(z.string()).optional(),
  /** Names of checks that have to pass before a release is accepted without a reason. */
  requiredChecks: z.array(z.string()).optional(),
});

export const repositoryItem = repository.extend({ ...promised({ links }), shortened });
export type RepositoryItem = Received<typeof repositoryItem>;

export const rRepositoryItem = repositoryItem.extend(promised({ redirectToSource: z.boolean() }));
export type RRepositoryItem = Received<typeof rRepositoryItem>;

export const pythonRepositoryItem = repositoryItem.extend(promised({ hashMethod }));
export type PythonRepositoryItem = Received<typeof pythonRepositoryItem>;

/** A repository of either technology, including the fields specific to it. */
export type AnyRepositoryItem = RepositoryItem & Partial<RRepositoryItem & PythonRepositoryItem>;

const filters = {
  deleted: flag,
  technology: anyTechnology,
  published: flag,
  maintainer: anyOf(),
  name: text,
  search: text,
};
const sorts = [
  "id",
  "version",
  "publicationUri",
  "name",
  "serverAddress",
  "deleted",
  "published",
  "synchronizing",
  "technology",
  "requiresAuthentication",
  "numberOfPackages",
  "lastPublicationTimestamp",
  "lastModifiedTimestamp",
  "lastPublicationSuccessful",
] as const;

const query = { filters, sorts, names: ["name"] } as const;

/** `GET /repositories` */
export const repositoryList = listContract({ path: "/repositories", item: repositoryItem, ...query });
export const rRepositoryList = listContract({ path: "/r/repositories", item: rRepositoryItem, ...query });
export const pythonRepositoryList = listContract({
  path: "/python/repositories",
  item: pythonRepositoryItem,
  ...query,
});

const givenText = z.string().max(longestGiven);

const creation = {
  name: givenText.nullish(),
  publicationUri: givenText.nullish(),
  serverAddress: givenText.nullish(),
  requiresAuthentication: z.boolean().nullish(),
  published: z.boolean().nullish(),
  reservedNames: z.array(z.string().max(longestGiven)).nullish(),
  requiredChecks: z.array(z.string().max(longestGiven)).nullish(),
  // Accepted because clients send whole repositories; the server decides all of these.
  id: z.unknown(),
  version: z.unknown(),
  deleted: z.unknown(),
  synchronizing: z.unknown(),
  technology: z.unknown(),
  numberOfPackages: z.unknown(),
  lastPublicationTimestamp: z.unknown(),
  lastModifiedTimestamp: z.unknown(),
  lastPublicationSuccessful: z.unknown(),
  allowedFiles: z.unknown(),
};

/** Bodies of `POST /r/repositories` and `POST /python/repositories`; unknown keys are refused. */
export const rRepositoryCreation = z.strictObject({ ...creation, redirectToSource: z.boolean().nullish() }).partial();
export const pythonRepositoryCreation = z.strictObject({ ...creation, hashMethod: hashMethod.nullish() }).partial();

/** Body of `POST /check-server-address`: an object, or just the address. */
export const serverAddressCheck = z.union([z.strictObject({ serverAddress: givenText.nullish() }), givenText]);

/** The result of the last synchronization of a repository with its mirrors. */
export const synchronizationStatus = z.object(
  promised({
    repositoryId: z.int(),
    /** When it started, in milliseconds since 1970: the only time that is a number. */
    timestamp: z.int(),
    error: z.object(promised({ present: z.boolean(), empty: z.boolean() })),
    pending: z.boolean(),
  }),
);
