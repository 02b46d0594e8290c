import type { PackageItem } from "@packhouse/contract/packages";
import { technologyPath } from "@packhouse/contract/technology";
import { z } from "zod";
import { api, replace } from "../api/client.ts";

type Addressed = Pick<PackageItem, "id" | "technology">;

const patch = (item: Addressed, path: string, value: unknown, leaving: boolean) =>
  api.patch(`/${technologyPath[item.technology]}/packages/${item.id}`, z.unknown(), [replace(path, value)], leaving);

export const setActive = (item: Addressed, active: boolean) => patch(item, "/active", active, false);

/** Softly: an administrator can bring it back. */
export const deletePackage = (item: Addressed, leaving = false) => patch(item, "/deleted", true, leaving);
