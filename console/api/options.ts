import type { AnyList, ItemOf } from "@packhouse/contract/list-contract";
import { candidateList, packageMaintainerList, repositoryMaintainerList } from "@packhouse/contract/maintainers";
import { packageList } from "@packhouse/contract/packages";
import type { UserRef } from "@packhouse/contract/references";
import type { RepositoryItem } from "@packhouse/contract/repositories";
import { repositoryList } from "@packhouse/contract/repositories";
import type { RoleName } from "@packhouse/contract/roles";
import { userList } from "@packhouse/contract/users";
import { api } from "./client.ts";

/** One page of a selection list's options, and whether there are more. */
export interface OptionPage<Value> {
  options: Value[];
  more: boolean;
}
/** Finds options that contain a text, by page, starting from 0. */
export type FindOptions<Value> = (search: string, page: number, signal: AbortSignal) => Promise<OptionPage<Value>>;

/** Shorter pages, for lists of people. */
const people = { size: "3" };

/** The options of an API list; `toValue` converts its items. */
const optionsOf =
  <L extends AnyList, Value>(
    list: L,
    sort: string,
    toValue: (item: ItemOf<L>) => Value,
    parameters: Record<string, string> = {},
  ): FindOptions<Value> =>
  async (search, page, signal) => {
    const query = new URLSearchParams({ page: String(page), size: "8", sort, ...parameters });
    if (search) query.set("search", search);
    const answer = await api.list(list, query.toString(), signal);
    return { options: answer.content.map(toValue), more: page + 1 < answer.page.totalPages };
  };

export const repositoryNames = optionsOf(repositoryList, "name,asc", ({ name }) => name);
export const packageNamesLike = optionsOf(packageList, "name,asc", ({ name }) => name);
/** Names of people who maintain packages, or repositories (for administrators). */
export const maintainerNames = optionsOf(packageMaintainerList, "user.name,asc", ({ user }) => user.name);
export const repositoryMaintainerNames = optionsOf(repositoryMaintainerList, "user.name,asc", ({ user }) => user.name);
/** Login names, for administrators. */
export const userLogins = optionsOf(userList, "name,asc", ({ login }) => login, people);
/** Users who can become package maintainers. */
export const packageMaintainerCandidates = optionsOf(candidateList, "name,asc", (user) => user, people);
/** Active users with certain roles, for administrators. */
export const peopleOfRoles = (roles: readonly RoleName[]): FindOptions<UserRef> =>
  optionsOf(userList, "name,asc", (user) => user, {
    ...people,
    role: roles.join(","),
    active: "true",
    deleted: "false",
  });
export const repositories: FindOptions<RepositoryItem> = optionsOf(repositoryList, "name,asc", (item) => item);

/** Ids of the repositories that a user maintains. */
export async function repositoriesMaintainedBy(user: UserRef, signal: AbortSignal): Promise<ReadonlySet<number>> {
  const filters = new URLSearchParams({ search: user.name, deleted: "false", size: "2000" });
  const page = await api.list(repositoryMaintainerList, filters.toString(), signal);
  return new Set(page.content.filter((it) => it.user.id === user.id).map((it) => it.repository.id));
}

/** Names of the packages in a repository, each with the users who maintain it individually. */
export const packageNames =
  (repository: string): FindOptions<{ name: string; maintainer: UserRef | undefined }> =>
  async (search, page, signal) => {
    const within = { repository, deleted: "false" };
    const [found, maintainers] = await Promise.all([
      optionsOf(packageList, "name,asc", ({ name }) => name, within)(search, page, signal),
      api.list(packageMaintainerList, new URLSearchParams({ ...within, size: "2000" }).toString(), signal),
    ]);
    const options = [...new Set(found.options)].map((name) => ({
      name,
      maintainer: maintainers.content.find((it) => it.packageName === name)?.user,
    }));
    return { options, more: found.more };
  };
