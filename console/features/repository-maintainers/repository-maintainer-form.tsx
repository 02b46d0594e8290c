import "@mantine/core/styles/Alert.layer.css";
import { Alert } from "@mantine/core";
import { type RepositoryMaintainerItem, repositoryMaintainerItem } from "@packhouse/contract/maintainers";
import type { UserRef } from "@packhouse/contract/references";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, replace } from "../../api/client.ts";
import { peopleOfRoles, repositories, repositoriesMaintainedBy } from "../../api/options.ts";
import { warnOfRefusal } from "../../calls/report-failure.tsx";
import { useChange } from "../../calls/use-change.ts";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { FormButtons } from "../../ui/forms/form-buttons.tsx";
import { type Option, ServerSelect } from "../../ui/forms/server-select.tsx";
import formStyles from "../../ui/styles/form.module.css";

const candidates = peopleOfRoles(["repositorymaintainer", "admin"]);

export function CreateRepositoryMaintainer({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const [people, setPeople] = useState<ReadonlyMap<string, UserRef>>(new Map());
  const [user, setUser] = useState<Option>();
  const [repository, setRepository] = useState<Option>();
  const { busy, change } = useChange(
    () =>
      api.post("/repository-maintainers", repositoryMaintainerItem, {
        user: { id: Number(user?.value) },
        repository: { id: Number(repository?.value) },
      }),
    { onDone: onClose, onFailure: warnOfRefusal },
  );
  const complete = user && repository;
  return (
    <Dialog kind="create" title={t("maintainer.createForRepository")} onClose={onClose}>
      <form
        className={formStyles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (complete) change();
        }}
      >
        <Alert>{t("maintainer.onlyRepositoryMaintainers")}</Alert>
        <ServerSelect
          name="user"
          label={t("column.user")}
          source={["repository-maintainer-candidates"]}
          load={async (search, page, signal) => {
            const { options, more } = await candidates(search, page, signal);
            setPeople((before) => new Map([...before, ...options.map((it) => [String(it.id), it] as const)]));
            return {
              options: options.map(({ id, name, login }) => ({ value: String(id), label: name, hint: login })),
              more,
            };
          }}
          value={user}
          onChange={(chosen) => {
            setUser(chosen);
            setRepository(undefined);
          }}
        />
        <RepositorySelect user={user && people.get(user.value)} value={repository} onChange={setRepository} />
        <FormButtons
          verb={t("maintainer.createForRepository")}
          busy={busy}
          blocked={complete ? undefined : t("reason.formInvalid")}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}

/** The person stays; the repository may change. */
export function EditRepositoryMaintainer({ item, onClose }: { item: RepositoryMaintainerItem; onClose(): void }) {
  const { t } = useTranslation();
  const [repository, setRepository] = useState<Option | undefined>({
    value: String(item.repository.id),
    label: item.repository.name,
  });
  const { busy, change } = useChange(
    () =>
      api.patch(`/repository-maintainers/${item.id}`, repositoryMaintainerItem, [
        replace("/repository/id", Number(repository?.value)),
      ]),
    { onDone: onClose, onFailure: warnOfRefusal },
  );
  const unchanged = repository?.value === String(item.repository.id);
  const blocked = repository ? (unchanged ? t("reason.formUnchanged") : undefined) : t("reason.formInvalid");
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
        <RepositorySelect user={item.user} value={repository} onChange={setRepository} />
        <FormButtons verb={t("action.save")} busy={busy} blocked={blocked} onClose={onClose} />
      </form>
    </Dialog>
  );
}

interface RepositorySelectProps {
  user: UserRef | undefined;
  value: Option | undefined;
  onChange(option: Option | undefined): void;
}

/** Repositories; those that the person maintains already say so and cannot be chosen. */
function RepositorySelect({ user, value, onChange }: RepositorySelectProps) {
  const { t } = useTranslation();
  return (
    <ServerSelect
      key={user?.id}
      name="repository"
      label={t("column.repository")}
      source={["repositories-of", user?.id]}
      load={async (search, page, signal) => {
        const [{ options, more }, taken] = await Promise.all([
          repositories(search, page, signal),
          user ? repositoriesMaintainedBy(user, signal) : new Set<number>(),
        ]);
        const shown = options.map(({ id, name, technology }) => ({
          value: String(id),
          label: name,
          hint: taken.has(id) ? t("maintainer.alreadyAssigned", { name: user?.name }) : technology,
          disabled: taken.has(id),
        }));
        return { options: shown, more };
      }}
      value={value}
      onChange={onChange}
      disabled={!user}
      {...(user ? {} : { description: t("maintainer.chooseUser") })}
    />
  );
}
