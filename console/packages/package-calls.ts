import { type PackageItem, pythonPackageItem, rPackageItem } from "@packhouse/contract/packages";
import { type Technology, technologyPath } from "@packhouse/contract/technology";
import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { api, replace } from "../api/client.ts";

type Addressed = Pick<PackageItem, "id" | "technology">;

const shapes = { R: rPackageItem, Python: pythonPackageItem } as const;
/** A package with the fields of its technology. */
export type AnyPackageItem = z.infer<typeof rPackageItem> | z.infer<typeof pythonPackageItem>;

export const packagePath = ({ technology, id }: Addressed): string => `/${technologyPath[technology]}/packages/${id}`;

/** One package as its page shows it; a failure is shown there. */
export const packageQuery = (technology: Technology, id: number) =>
  queryOptions({
    queryKey: ["package", technology, id],
    queryFn: ({ signal }): Promise<AnyPackageItem> =>
      api.get(packagePath({ technology, id }), shapes[technology], signal),
    meta: { shownInPlace: true },
  });

const patch = (item: Addressed, path: string, value: unknown, leaving: boolean) =>
  api.patch(packagePath(item), z.unknown(), [replace(path, value)], leaving);

export const setActive = (item: Addressed, active: boolean) => patch(item, "/active", active, false);

/** Softly: an administrator can bring it back. */
export const deletePackage = (item: Addressed, leaving = false) => patch(item, "/deleted", true, leaving);
