import type { PackageMaintainerItem, RepositoryMaintainerItem } from "@packhouse/contract/maintainers";
import type { maintainerOf } from "@packhouse/contract/operations/maintainers";
import type { UserRef } from "@packhouse/contract/references";
import type { TFunction } from "i18next";
import type { ComponentType } from "react";
import type { Option } from "../../ui/forms/server-select.tsx";

export type Maintainer = PackageMaintainerItem | RepositoryMaintainerItem;

/** The state of the dialogs while a maintainer is created or edited. */
export interface MaintainerDraft {
  user?: Option | undefined;
  /** The selected user, with the name that their records are found by. */
  person?: UserRef | undefined;
  repository?: Option | undefined;
  packageName?: Option | undefined;
}

export interface MaintainerFieldsProps {
  draft: MaintainerDraft;
  /** Whether the user has tried to submit the form; then empty fields show that they are required. */
  touched: boolean;
  onChange(changed: MaintainerDraft): void;
}

/** The differences between maintainers of packages and of repositories. */
export interface MaintainerScope<Item extends Maintainer> {
  name: "packageMaintainers" | "repositoryMaintainers";
  operations: (typeof maintainerOf)["package" | "repository"];
  resource: "PACKAGE_MAINTAINER" | "REPOSITORY_MAINTAINER";
  textKeys: {
    create: "maintainer.createForPackage" | "maintainer.createForRepository";
    candidates: "maintainer.onlyPackageMaintainers" | "maintainer.onlyRepositoryMaintainers";
  };
  /** The property whose permission determines whether a record may be edited. */
  editedProperty: "packageName" | "repository";
  /** Whether the users who can delete can also restore, so that a bulk deletion can be undone. */
  restorable: boolean;
  UserField: ComponentType<MaintainerFieldsProps>;
  PlaceFields: ComponentType<MaintainerFieldsProps>;
  draftOf(item: Item): MaintainerDraft;
  /** The target of a draft; undefined while something is missing. */
  placeOf(draft: MaintainerDraft): { repositoryId: number; packageName?: string } | undefined;
  /** What is maintained: a package of a repository, or a repository. */
  placeText(record: { repository: { name: string }; packageName?: string | undefined }): string;
  /** The consequences of a deletion. */
  deletionText(t: TFunction, item: Item): string;
}
