import { anyRepositoryItem, type RepositoryItem } from "@packhouse/contract/repositories";
import { technologyPath } from "@packhouse/contract/technology";
import { z } from "zod";
import { api, replace } from "../api/client.ts";

type Addressed = Pick<RepositoryItem, "id" | "technology">;
const pathOf = (item: Addressed) => `/${technologyPath[item.technology]}/repositories/${item.id}`;

export const readRepository = (item: Addressed, signal?: AbortSignal) =>
  api.get(pathOf(item), anyRepositoryItem, signal);
export const setPublished = (item: Addressed, published: boolean) =>
  api.patch(pathOf(item), z.unknown(), [replace("/published", published)]);
export const deleteRepository = (item: Addressed, leaving = false) =>
  api.patch(pathOf(item), z.unknown(), [replace("/deleted", true)], leaving);
export const republish = (item: Addressed) => api.post(`${pathOf(item)}/republish`, z.unknown());
