import { z } from "zod";
import type { AnyList } from "../list-contract.ts";
import type { MessageCode } from "../messages.ts";
import { mirrors } from "../mirrors.ts";
import { create, edit, list, post, purge, read } from "../operation.ts";
import {
  pythonRepositoryCreation,
  pythonRepositoryItem,
  pythonRepositoryList,
  repositoryItem,
  repositoryList,
  rRepositoryCreation,
  rRepositoryItem,
  rRepositoryList,
  serverAddressCheck,
  synchronizationStatus,
} from "../repositories.ts";
import { snapshots } from "../snapshots.ts";
import { type Technology, technologyPath, technologyWithArticle } from "../technology.ts";

export const listRepositories = list(repositoryList, {
  permission: "readRepositories",
  summary: "Repositories of both technologies",
});
export const readRepository = read("/repositories/:id", {
  permission: "readRepositories",
  summary: "A repository of either technology",
  data: repositoryItem,
  codes: ["repository.notfound"],
});
export const listSnapshots = read("/repositories/:id/snapshots", {
  permission: "readRepositories",
  summary: "The latest states of a repository that can still be installed from",
  data: snapshots,
  codes: ["repository.notfound"],
});
export const listMirrors = read("/repositories/:id/mirrors", {
  permission: "synchronizeRepository",
  summary: "The mirrors of a repository, and the results of their last runs",
  data: mirrors,
  codes: ["repository.notfound"],
});
export const checkServerAddress = post("/check-server-address", {
  permission: "checkServerAddress",
  summary: "Check whether a repository can be published to an address",
  answer: { data: z.string() },
  body: { json: serverAddressCheck },
  codes: ["unsupported.media.type", "error.invalid.serveraddress", "error.unhealthy.serveraddress"],
});

export const failAlways = read("/r/repositories/bad-endpoint", {
  permission: "crash",
  summary: "Always fails, to test error handling",
  data: z.null(),
  codes: ["error.apply.patch"],
});

const deletedRecord = "editing.deleted.resource.not.possible";
const changeCodes = [
  "repository.notfound",
  "repository.declarative.mode",
  "deleting.repositories.disabled",
] as const satisfies readonly MessageCode[];

/* @__NO_SIDE_EFFECTS__ */
function repositoriesOf<
  const T extends Technology,
  const L extends AnyList,
  Item extends z.ZodType,
  Creation extends z.ZodType,
>(technology: T, { of, item, creation }: { of: L; item: Item; creation: Creation }) {
  const path = technologyPath[technology];
  const one = `${technologyWithArticle[technology]} repository`;
  return {
    list: list(of, { permission: "readRepositories", summary: `${technology} repositories` }),
    read: read(`/${path}/repositories/:id`, {
      permission: "readRepositories",
      summary: `One ${technology} repository`,
      data: item,
      codes: ["repository.notfound"],
    }),
    create: create(`/${path}/repositories`, {
      permission: "createRepository",
      summary: `Create ${one}`,
      data: item,
      json: creation,
      codes: ["repository.declarative.mode"],
    }),
    edit: edit(`/${path}/repositories/:id`, {
      permission: "editRepository",
      summary: `Change, publish, delete or restore ${one}`,
      data: item,
      codes: [...changeCodes, deletedRecord],
    }),
    purge: purge(`/${path}/repositories/:id`, {
      permission: "purgeRepository",
      summary: `Remove ${one} with all its packages permanently`,
      codes: changeCodes,
    }),
    republish: post(`/${path}/repositories/:id/republish`, {
      permission: "publishRepository",
      summary: `Publish ${one} again`,
      answer: { data: item },
      codes: [...changeCodes, deletedRecord, "error.validation", "error.apply.patch", "error.create.resource"],
    }),
    synchronize: post(`/${path}/repositories/:id/synchronize-mirrors`, {
      permission: "synchronizeRepository",
      summary: `Start the synchronization of ${one} with its mirrors`,
      answer: "nothing",
      codes: ["repository.notfound", deletedRecord],
    }),
    readSynchronization: read(`/${path}/repositories/:id/synchronization-status`, {
      permission: "synchronizeRepository",
      summary: "The result of the last synchronization",
      data: synchronizationStatus,
      codes: ["repository.notfound", "error.get.synchronization.status"],
    }),
  };
}

/** The operations on repositories of one technology. */
export const repositoryOf = {
  R: repositoriesOf("R", { of: rRepositoryList, item: rRepositoryItem, creation: rRepositoryCreation }),
  Python: repositoriesOf("Python", {
    of: pythonRepositoryList,
    item: pythonRepositoryItem,
    creation: pythonRepositoryCreation,
  }),
};

export const repositoryOperations = [
  listRepositories,
  readRepository,
  listSnapshots,
  listMirrors,
  checkServerAddress,
  failAlways,
  ...Object.values(repositoryOf.R),
  ...Object.values(repositoryOf.Python),
];
