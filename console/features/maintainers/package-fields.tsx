import "./texts.ts";
import { listCandidates, maintainerOf } from "@packhouse/contract/operations/maintainers";
import "@mantine/core/styles/NumberInput.layer.css";
import { NumberInput } from "@mantine/core";
import { mayPatch } from "@packhouse/contract/links";
import type { PackageMaintainerItem } from "@packhouse/contract/maintainers";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ifOffered } from "../../api/missing-routes.ts";
import { packageMaintainerCandidates, packageNames, peopleOfRoles, repositories } from "../../api/options.ts";
import { inRepository } from "../../list/in-repository.ts";
import { useOwnUser } from "../../session/use-session.ts";
import { fieldHooks, required } from "../../ui/forms/field-hooks.ts";
import { type Option, ServerSelect } from "../../ui/forms/server-select.tsx";
import type { MaintainerFieldsProps, MaintainerScope } from "./maintainer-scope.ts";

export const packageScope: MaintainerScope<PackageMaintainerItem> = {
  name: "packageMaintainers",
  operations: maintainerOf.package,
  resource: "PACKAGE_MAINTAINER",
  textKeys: { create: "maintainer.createForPackage", candidates: "maintainer.onlyPackageMaintainers" },
  editedProperty: "packageName",
  restorable: false,
  UserField: CandidateSelect,
  PlaceFields: PackageFields,
  draftOf: ({ user, repository, packageName }) => ({
    user: { value: String(user.id), label: user.name },
    repository: { value: String(repository.id), label: repository.name },
    packageName: { value: packageName, label: packageName },
  }),
  placeOf: ({ repository, packageName }) =>
    repository && packageName ? { repositoryId: Number(repository.value), packageName: packageName.value } : undefined,
  placeText: ({ packageName = "", repository }) => inRepository(packageName, repository),
  deletionText: (t, { packageName, repository }) =>
    t("maintainer.deleteForPackage", { name: packageName, repository: repository.name }),
};

/**
 * Users who can become package maintainers. On servers without this list, administrators can list all users;
 * others have to know the id.
 */
function CandidateSelect({ draft, touched, onChange }: MaintainerFieldsProps) {
  const { t } = useTranslation();
  const isAdmin = useOwnUser().role === "admin";
  const { data: offered } = useQuery({
    queryKey: ["options", "candidates-offered"],
    queryFn: async ({ signal }) =>
      (await ifOffered(listCandidates, () => packageMaintainerCandidates("", 0, signal))) !== null,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { shownInPlace: true },
  });
  const choose = (user: Option | undefined) => onChange({ user, packageName: undefined });
  if (offered === false && !isAdmin)
    return (
      <NumberInput
        label={t("maintainer.userId")}
        description={t("maintainer.userIdHint")}
        min={1}
        allowDecimal={false}
        value={draft.user?.value ?? ""}
        error={touched && !draft.user ? t("message.required") : undefined}
        onChange={(id) => choose(id === "" ? undefined : { value: String(id), label: String(id) })}
        {...required}
        {...fieldHooks("user")}
      />
    );
  const find = offered === false ? eligibleUsers : packageMaintainerCandidates;
  return (
    <ServerSelect
      name="user"
      label={t("column.user")}
      source={["candidates", offered]}
      load={async (search, page, signal) => {
        const { options, more } = await find(search, page, signal);
        return {
          options: options.map(({ id, name, login }) => ({ value: String(id), label: name, hint: login })),
          more,
        };
      }}
      value={draft.user}
      error={touched && !draft.user ? t("message.required") : undefined}
      onChange={choose}
      {...(offered === undefined ? { disabled: true, description: t("list.loading") } : {})}
    />
  );
}

const eligibleUsers = peopleOfRoles(["packagemaintainer", "repositorymaintainer", "admin"]);

function PackageFields({ draft, touched, onChange }: MaintainerFieldsProps) {
  return (
    <>
      <RepositorySelect draft={draft} touched={touched} onChange={onChange} />
      <PackageSelect draft={draft} touched={touched} onChange={onChange} />
    </>
  );
}

function RepositorySelect({ draft, touched, onChange }: MaintainerFieldsProps) {
  const { t } = useTranslation();
  return (
    <ServerSelect
      name="repository"
      label={t("column.repository")}
      source={["repositories"]}
      load={async (search, page, signal) => {
        const { options, more } = await repositories(search, page, signal);
        // Only if the caller may appoint maintainers.
        const own = options.filter((repository) => mayPatch(repository, "name"));
        return {
          options: own.map(({ id, name, technology }) => ({ value: String(id), label: name, hint: technology })),
          more,
        };
      }}
      value={draft.repository}
      error={touched && !draft.repository ? t("message.required") : undefined}
      onChange={(repository) => onChange({ repository, packageName: undefined })}
    />
  );
}

/** Packages of the repository; those with a maintainer show the name and cannot be selected. */
function PackageSelect({ draft: { user, repository, packageName }, touched, onChange }: MaintainerFieldsProps) {
  const { t } = useTranslation();
  const open = user !== undefined && repository !== undefined;
  return (
    <ServerSelect
      key={repository?.value}
      name="packageName"
      label={t("column.package")}
      source={["packages", repository?.label]}
      load={async (search, page, signal) => {
        const { options, more } = await packageNames(repository?.label ?? "")(search, page, signal);
        const shown = options.map(({ name, maintainer }) => ({
          value: name,
          label: name,
          disabled: maintainer !== undefined,
          ...(maintainer ? { hint: t("maintainer.hasMaintainer", { name: maintainer.name }) } : {}),
        }));
        return { options: shown, more };
      }}
      value={packageName}
      error={touched && open && !packageName ? t("message.required") : undefined}
      onChange={(chosen) => onChange({ packageName: chosen })}
      disabled={!open}
      nothingFound={t("maintainer.notInRepository")}
      {...(open ? {} : { description: t("maintainer.chooseUserAndRepository") })}
    />
  );
}
