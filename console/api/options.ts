import { candidateList, packageMaintainerList } from "@packhouse/contract/package-maintainers";
import { packageList } from "@packhouse/contract/packages";
import type { UserRef } from "@packhouse/contract/references";
import type { RepositoryItem } from "@packhouse/contract/repositories";
import { repositoryList } from "@packhouse/contract/repositories";
import { repositoryMaintainerList } from "@packhouse/contract/repository-maintainers";
import type { RoleName } from "@packhouse/contract/roles";
import { userList } from "@packhouse/contract/users";
import { api } from "./client.ts";

/** As many as a selection list shows before somebody types. */
const mostOptions = 20;

const query = (search: string, sort: string): string =>
  new URLSearchParams({ size: String(mostOptions), sort, ...(search ? { search } : {}) }).toString();

/** Names of repositories that contain a text. */
export async function repositoryNames(search: string, signal: AbortSignal): Promise<string[]> {
  const page = await api.list(repositoryList, query(search, "name,asc"), signal);
  return page.content.map((repository) => repository.name);
}

/** Names of packages that contain a text. */
export async function packageNamesLike(search: string, signal: AbortSignal): Promise<string[]> {
  const page = await api.list(packageList, query(search, "name,asc"), signal);
  return [...new Set(page.content.map(({ name }) => name))];
}

/** Names of people who maintain packages. */
export async function maintainerNames(search: string, signal: AbortSignal): Promise<string[]> {
  const page = await api.list(packageMaintainerList, query(search, "user.name,asc"), signal);
  return [...new Set(page.content.map((maintainer) => maintainer.user.name))];
}

/** Names of people who maintain repositories, for administrators. */
export async function repositoryMaintainerNames(search: string, signal: AbortSignal): Promise<string[]> {
  const page = await api.list(repositoryMaintainerList, query(search, "user.name,asc"), signal);
  return [...new Set(page.content.map((maintainer) => maintainer.user.name))];
}

/** Login names, for administrators. */
export async function userLogins(search: string, signal: AbortSignal): Promise<string[]> {
  const page = await api.list(userList, query(search, "login,asc"), signal);
  return page.content.map((user) => user.login);
}

/** People who can be made package maintainers. */
export async function packageMaintainerCandidates(search: string, signal: AbortSignal): Promise<UserRef[]> {
  return (await api.list(candidateList, query(search, "name,asc"), signal)).content;
}

/** Active people of some roles, for administrators. */
export async function peopleOfRoles(
  roles: readonly RoleName[],
  search: string,
  signal: AbortSignal,
): Promise<UserRef[]> {
  const filters = new URLSearchParams({ role: roles.join(","), active: "true", deleted: "false" });
  return (await api.list(userList, `${query(search, "name,asc")}&${filters}`, signal)).content;
}

export async function repositories(search: string, signal: AbortSignal): Promise<RepositoryItem[]> {
  return (await api.list(repositoryList, query(search, "name,asc"), signal)).content;
}

/** Ids of the repositories that somebody maintains. */
export async function repositoriesMaintainedBy(user: UserRef, signal: AbortSignal): Promise<ReadonlySet<number>> {
  const filters = new URLSearchParams({ search: user.name, deleted: "false", size: "2000" });
  const page = await api.list(repositoryMaintainerList, filters.toString(), signal);
  return new Set(page.content.filter((it) => it.user.id === user.id).map((it) => it.repository.id));
}

/** Names of the packages in a repository, each with who maintains it by a record of his own. */
export async function packageNames(
  repository: string,
  search: string,
  signal: AbortSignal,
): Promise<{ name: string; maintainer: UserRef | undefined }[]> {
  const within = new URLSearchParams({ repository, deleted: "false" });
  const [packages, maintainers] = await Promise.all([
    api.list(packageList, `${query(search, "name,asc")}&${within}`, signal),
    api.list(packageMaintainerList, `${within}&size=2000`, signal),
  ]);
  return [...new Set(packages.content.map(({ name }) => name))].map((name) => ({
    name,
    maintainer: maintainers.content.find((it) => it.packageName === name)?.user,
  }));
}
