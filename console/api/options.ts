import { packageMaintainerList } from "@packhouse/contract/package-maintainers";
import { repositoryList } from "@packhouse/contract/repositories";
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

/** Names of people who maintain packages. */
export async function maintainerNames(search: string, signal: AbortSignal): Promise<string[]> {
  const page = await api.list(packageMaintainerList, query(search, "user.name,asc"), signal);
  return [...new Set(page.content.map((maintainer) => maintainer.user.name))];
}
