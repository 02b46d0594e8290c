import "@mantine/core/styles/NumberInput.layer.css";
import "@mantine/core/styles/Alert.layer.css";
import { Alert, NumberInput } from "@mantine/core";
import { mayPatch } from "@packhouse/contract/links";
import { type PackageMaintainerItem, packageMaintainerItem } from "@packhouse/contract/maintainers";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, replace } from "../../api/client.ts";
import { ifOffered } from "../../api/missing-routes.ts";
import { packageMaintainerCandidates, packageNames, peopleOfRoles, repositories } from "../../api/options.ts";
import { warnOfRefusal } from "../../calls/report-failure.tsx";
import { useChange } from "../../calls/use-change.ts";
import { useOwnUser } from "../../session/use-session.ts";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { fieldHooks } from "../../ui/forms/field-hooks.ts";
import { FormButtons } from "../../ui/forms/form-buttons.tsx";
import { type Option, ServerSelect } from "../../ui/forms/server-select.tsx";
import formStyles from "../../ui/styles/form.module.css";

export function CreatePackageMaintainer({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const [user, setUser] = useState<Option>();
  const [repository, setRepository] = useState<Option>();
  const [name, setName] = useState<Option>();
  const { busy, change } = useChange(
    () =>
      api.post("/package-maintainers", packageMaintainerItem, {
        user: { id: Number(user?.value) },
        repository: { id: Number(repository?.value) },
        packageName: name?.value,
      }),
    { onDone: onClose, onFailure: warnOfRefusal },
  );
  const complete = user && repository && name;
  return (
    <Dialog kind="create" title={t("maintainer.createForPackage")} onClose={onClose}>
      <form
        className={formStyles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (complete) change();
        }}
      >
        <Alert>{t("maintainer.onlyPackageMaintainers")}</Alert>
        <CandidateSelect
          value={user}
          onChange={(chosen) => {
            setUser(chosen);
            setName(undefined);
          }}
        />
        <RepositorySelect
          value={repository}
          onChange={(chosen) => {
            setRepository(chosen);
            setName(undefined);
          }}
        />
        <PackageSelect repository={repository} value={name} onChange={setName} ready={user !== undefined} />
        <FormButtons
          verb={t("maintainer.createForPackage")}
          busy={busy}
          blocked={complete ? undefined : t("reason.formInvalid")}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}

/** The person stays; what he maintains may change. */
export function EditPackageMaintainer({ item, onClose }: { item: PackageMaintainerItem; onClose(): void }) {
  const { t } = useTranslation();
  const [repository, setRepository] = useState<Option | undefined>({
    value: String(item.repository.id),
    label: item.repository.name,
  });
  const [name, setName] = useState<Option | undefined>({ value: item.packageName, label: item.packageName });
  const moved = repository?.value !== String(item.repository.id);
  const renamed = name?.value !== item.packageName;
  const { busy, change } = useChange(
    () =>
      api.patch(`/package-maintainers/${item.id}`, packageMaintainerItem, [
        ...(moved ? [replace("/repository/id", Number(repository?.value))] : []),
        ...(renamed ? [replace("/packageName", name?.value)] : []),
      ]),
    { onDone: onClose, onFailure: warnOfRefusal },
  );
  const complete = repository !== undefined && name !== undefined;
  const blocked = complete ? (moved || renamed ? undefined : t("reason.formUnchanged")) : t("reason.formInvalid");
  return (
    <Dialog kind="edit" title={t("maintainer.edit", { name: item.user.name })} onClose={onClose}>
      <form
        className={formStyles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!blocked) change();
        }}
      >
        <RepositorySelect
          value={repository}
          onChange={(chosen) => {
            setRepository(chosen);
            setName(undefined);
          }}
        />
        <PackageSelect repository={repository} value={name} onChange={setName} ready />
        <FormButtons verb={t("action.save")} busy={busy} blocked={blocked} onClose={onClose} />
      </form>
    </Dialog>
  );
}

interface SelectProps {
  value: Option | undefined;
  onChange(option: Option | undefined): void;
}

/**
 * Who can be made a package maintainer. Servers that cannot be asked for these let administrators list everybody; the
 * others have to know the id.
 */
function CandidateSelect({ value, onChange }: SelectProps) {
  const { t } = useTranslation();
  const isAdmin = useOwnUser().role === "admin";
  const { data: offered } = useQuery({
    queryKey: ["options", "candidates-offered"],
    queryFn: async ({ signal }) =>
      (await ifOffered("/package-maintainers/candidates", () => packageMaintainerCandidates("", 0, signal))) !== null,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { shownInPlace: true },
  });
  if (offered === false && !isAdmin)
    return (
      <NumberInput
        label={t("maintainer.userId")}
        description={t("maintainer.userIdHint")}
        min={1}
        allowDecimal={false}
        value={value?.value ?? ""}
        onChange={(id) => onChange(id === "" ? undefined : { value: String(id), label: String(id) })}
        {...fieldHooks("user")}
      />
    );
  const find = offered === false ? everybodyWhoCan : packageMaintainerCandidates;
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
      value={value}
      onChange={onChange}
      disabled={offered === undefined}
    />
  );
}

const everybodyWhoCan = peopleOfRoles(["packagemaintainer", "repositorymaintainer", "admin"]);

function RepositorySelect({ value, onChange }: SelectProps) {
  const { t } = useTranslation();
  return (
    <ServerSelect
      name="repository"
      label={t("column.repository")}
      source={["repositories"]}
      load={async (search, page, signal) => {
        const { options, more } = await repositories(search, page, signal);
        // Only where this person may appoint somebody.
        const own = options.filter((repository) => mayPatch(repository, "name"));
        return {
          options: own.map(({ id, name, technology }) => ({ value: String(id), label: name, hint: technology })),
          more,
        };
      }}
      value={value}
      onChange={onChange}
    />
  );
}

/** Packages that are there; who has a maintainer already says so and cannot be chosen. */
function PackageSelect({
  repository,
  value,
  onChange,
  ready,
}: SelectProps & { repository: Option | undefined; ready: boolean }) {
  const { t } = useTranslation();
  const open = ready && repository !== undefined;
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
      value={value}
      onChange={onChange}
      disabled={!open}
      nothingFound={t("maintainer.notInRepository")}
      {...(open ? {} : { description: t("maintainer.chooseUserAndRepository") })}
    />
  );
}
