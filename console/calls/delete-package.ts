import { packageOf } from "@packhouse/contract/operations/packages";
import type { PackageItem } from "@packhouse/contract/packages";
import { call, replace } from "../api/client.ts";

/** Deletes a package softly; an administrator can restore it. A waiting submission is canceled with it, permanently. */
export const deletePackage = ({ technology, id }: Pick<PackageItem, "id" | "technology">, leaving = false) =>
  call(packageOf[technology].edit, { id, body: [replace("/deleted", true)] }, { keepalive: leaving });
