import type { z } from "zod";
import type { AnyList } from "../list-contract.ts";
import {
  candidateList,
  packageMaintainerCreation,
  packageMaintainerItem,
  packageMaintainerList,
  repositoryMaintainerCreation,
  repositoryMaintainerItem,
  repositoryMaintainerList,
} from "../maintainers.ts";
import type { MessageCode } from "../messages.ts";
import { create, edit, list, purge, read } from "../operation.ts";
import type { PermissionName } from "../permissions.ts";

interface Scope<L, Item, Creation> {
  of: L;
  item: Item;
  creation: Creation;
  missing: MessageCode;
  permissions: Record<"list" | "read" | "create" | "edit" | "purge", PermissionName>;
}

/* @__NO_SIDE_EFFECTS__ */
function maintainersOf<const L extends AnyList, Item extends z.ZodType, Creation extends z.ZodType>(
  what: "package" | "repository",
  { of, item, creation, missing, permissions }: Scope<L, Item, Creation>,
) {
  const path: L["path"] = of.path;
  return {
    list: list(of, {
      permission: permissions.list,
      summary: what === "package" ? "Package maintainers" : "Repository maintainers",
    }),
    read: read(`${path}/:id`, {
      permission: permissions.read,
      summary: `One ${what} maintainer`,
      data: item,
      codes: [missing],
    }),
    create: create(path, {
      permission: permissions.create,
      summary: `Add a user as maintainer of a ${what}`,
      data: item,
      json: creation,
    }),
    edit: edit(`${path}/:id`, {
      permission: permissions.edit,
      summary: `Change, delete or restore a ${what} maintainer`,
      data: item,
      codes: [missing, "editing.deleted.resource.not.possible"],
    }),
    purge: purge(`${path}/:id`, {
      permission: permissions.purge,
      summary: `Remove a deleted ${what} maintainer permanently`,
      codes: [missing],
    }),
  };
}

/** The operations on maintainers of one scope. */
export const maintainerOf = {
  package: maintainersOf("package", {
    of: packageMaintainerList,
    item: packageMaintainerItem,
    creation: packageMaintainerCreation,
    missing: "error.packagemaintainer.notfound",
    permissions: {
      list: "listPackageMaintainers",
      read: "readPackageMaintainer",
      create: "createPackageMaintainer",
      edit: "editPackageMaintainer",
      purge: "purgePackageMaintainer",
    },
  }),
  repository: maintainersOf("repository", {
    of: repositoryMaintainerList,
    item: repositoryMaintainerItem,
    creation: repositoryMaintainerCreation,
    missing: "error.repositorymaintainer.notfound",
    permissions: {
      list: "listRepositoryMaintainers",
      read: "listRepositoryMaintainers",
      create: "createRepositoryMaintainer",
      edit: "editRepositoryMaintainer",
      purge: "purgeRepositoryMaintainer",
    },
  }),
};

export const listCandidates = list(candidateList, {
  permission: "listCandidates",
  summary: "Users who can become package maintainers",
});

export const maintainerOperations = [
  ...Object.values(maintainerOf.package),
  listCandidates,
  ...Object.values(maintainerOf.repository),
];
