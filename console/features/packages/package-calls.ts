import {
  type PackageItem,
  type PythonPackageItem,
  packageItem,
  pythonPackageItem,
  type RPackageItem,
  rPackageItem,
} from "@packhouse/contract/packages";
import { type Technology, technologyPath } from "@packhouse/contract/technology";
import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { api, replace } from "../../api/client.ts";

type Addressed = Pick<PackageItem, "id" | "technology">;

const shapes = { R: rPackageItem, Python: pythonPackageItem } as const;
/** A package with the fields of its technology. */
export type AnyPackageItem = RPackageItem | PythonPackageItem;

export const packagePath = ({ technology, id }: Addressed): string => `/${technologyPath[technology]}/packages/${id}`;

/** Whether a package comes from a server of ours, whose items carry all their links wherever they are shown. */
const sendsOwnFields = ({ fileName }: PackageItem): boolean => fileName !== undefined;

/** Other servers send the links that grant actions with the packages of both technologies, not always with those of one. */
const linksOf = async (id: number, signal: AbortSignal) =>
  (await api.get(`/packages/${id}`, packageItem, signal)).links;

/** One package as its page shows it; a failure is shown there. */
export const packageQuery = (technology: Technology, id: number) =>
  queryOptions({
    queryKey: ["package", technology, id],
    queryFn: async ({ signal }): Promise<AnyPackageItem> => {
      const item: AnyPackageItem = await api.get(packagePath({ technology, id }), shapes[technology], signal);
      return sendsOwnFields(item) ? item : { ...item, links: await linksOf(id, signal) };
    },
    meta: { shownInPlace: true },
  });

const patch = (item: Addressed, path: string, value: unknown, leaving: boolean) =>
  api.patch(packagePath(item), z.unknown(), [replace(path, value)], leaving);

export const setActive = (item: Addressed, active: boolean) => patch(item, "/active", active, false);

/** Softly: an administrator can bring it back. */
export const deletePackage = (item: Addressed, leaving = false) => patch(item, "/deleted", true, leaving);
