import type { PackageMaintainerItem, RepositoryMaintainerItem } from "@packhouse/contract/maintainers";
import type { UserRef } from "@packhouse/contract/references";
import type { TFunction } from "i18next";
import type { ComponentType } from "react";
import type { z } from "zod";
import type { Option } from "../../ui/forms/server-select.tsx";

export type Maintainer = PackageMaintainerItem | RepositoryMaintainerItem;

/** What the dialogs hold while a maintainer is created or changed. */
export interface MaintainerDraft {
  user?: Option | undefined;
  /** The chosen user with the name by which their records are found. */
  person?: UserRef | undefined;
  repository?: Option | undefined;
  packageName?: Option | undefined;
}

export interface MaintainerFieldsProps {
  draft: MaintainerDraft;
  onChange(changed: MaintainerDraft): void;
}

/** What distinguishes the maintainers of packages from those of repositories. */
export interface MaintainerScope<Item extends Maintainer> {
  name: "packageMaintainers" | "repositoryMaintainers";
  path: "/package-maintainers" | "/repository-maintainers";
  resource: "PACKAGE_MAINTAINER" | "REPOSITORY_MAINTAINER";
  shape: z.ZodType;
  textKeys: {
    create: "maintainer.createForPackage" | "maintainer.createForRepository";
    candidates: "maintainer.onlyPackageMaintainers" | "maintainer.onlyRepositoryMaintainers";
  };
  /** The property whose change shows that a record may be edited. */
  editedProperty: "packageName" | "repository";
  /** Whether the same users may restore what they deleted, so that a deletion of many can be undone. */
  restorable: boolean;
  UserField: ComponentType<MaintainerFieldsProps>;
  PlaceFields: ComponentType<MaintainerFieldsProps>;
  draftOf(item: Item): MaintainerDraft;
  /** What a draft names; undefined while something is missing. */
  placeOf(draft: MaintainerDraft): { repositoryId: number; packageName?: string } | undefined;
  /** What follows from a deletion. */
  deletionText(t: TFunction, item: Item): string;
}
