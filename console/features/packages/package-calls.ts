import { packageOf, readPackage } from "@packhouse/contract/operations/packages";
import type { PackageItem, PythonPackageItem, RPackageItem } from "@packhouse/contract/packages";
import type { Technology } from "@packhouse/contract/technology";
import { queryOptions } from "@tanstack/react-query";
import { call, type PatchStep, replace } from "../../api/client.ts";

type Addressed = Pick<PackageItem, "id" | "technology">;

/** A package including the fields of its technology. */
export type AnyPackageItem = RPackageItem | PythonPackageItem;

/** Whether a package comes from our own server, whose items always include all their links. */
const sendsOwnFields = ({ fileName }: PackageItem): boolean => fileName !== undefined;

/** Other servers send the links for actions with the packages of both technologies, not always with those of one. */
const linksOf = async (id: number, signal: AbortSignal) => (await call(readPackage, { id }, { signal })).links;

/** One package as its page shows it; the page shows a failure. */
export const packageQuery = (technology: Technology, id: number) =>
  queryOptions({
    queryKey: ["package", technology, id],
    queryFn: async ({ signal }): Promise<AnyPackageItem> => {
      const item: AnyPackageItem = await call(packageOf[technology].read, { id }, { signal });
      return sendsOwnFields(item) ? item : { ...item, links: await linksOf(id, signal) };
    },
    meta: { shownInPlace: true },
  });

const edit = ({ technology, id }: Addressed, change: PatchStep) =>
  call(packageOf[technology].edit, { id, body: [change] });

export const setActive = (item: Addressed, active: boolean) => edit(item, replace("/active", active));
export const restorePackage = (item: Addressed) => edit(item, replace("/deleted", false));
