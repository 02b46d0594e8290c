import { repositoryOf } from "@packhouse/contract/operations/repositories";
import type { AnyRepositoryItem, RepositoryItem } from "@packhouse/contract/repositories";
import { call, type PatchStep, replace } from "../../api/client.ts";

type Addressed = Pick<RepositoryItem, "id" | "technology">;

export const readRepository = ({ technology, id }: Addressed, signal: AbortSignal): Promise<AnyRepositoryItem> =>
  call(repositoryOf[technology].read, { id }, { signal });
export const editRepository = ({ technology, id }: Addressed, body: readonly PatchStep[], keepalive = false) =>
  call(repositoryOf[technology].edit, { id, body }, { keepalive });
export const setPublished = (item: Addressed, published: boolean) =>
  editRepository(item, [replace("/published", published)]);
export const deleteRepository = (item: Addressed, leaving = false) =>
  editRepository(item, [replace("/deleted", true)], leaving);
export const restoreRepository = (item: Addressed) => editRepository(item, [replace("/deleted", false)]);
export const republish = ({ technology, id }: Addressed) => call(repositoryOf[technology].republish, { id });
