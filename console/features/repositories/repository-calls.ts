import { anyRepositoryItem, type RepositoryItem } from "@packhouse/contract/repositories";
import { technologyPath } from "@packhouse/contract/technology";
import { z } from "zod";
import { api, replace } from "../../api/client.ts";

type Addressed = Pick<RepositoryItem, "id" | "technology">;
export const repositoryPath = (item: Addressed) => `/${technologyPath[item.technology]}/repositories/${item.id}`;

export const readRepository = (item: Addressed, signal?: AbortSignal) =>
  api.get(repositoryPath(item), anyRepositoryItem, signal);
export const setPublished = (item: Addressed, published: boolean) =>
  api.patch(repositoryPath(item), z.unknown(), [replace("/published", published)]);
export const deleteRepository = (item: Addressed, leaving = false) =>
  api.patch(repositoryPath(item), z.unknown(), [replace("/deleted", true)], leaving);
export const republish = (item: Addressed) => api.post(`${repositoryPath(item)}/republish`, z.unknown());
