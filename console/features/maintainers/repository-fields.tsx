import "./texts.ts";
import type { RepositoryMaintainerItem } from "@packhouse/contract/maintainers";
import { maintainerOf } from "@packhouse/contract/operations/maintainers";
import type { UserRef } from "@packhouse/contract/references";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { peopleOfRoles, repositories, repositoriesMaintainedBy } from "../../api/options.ts";
import { ServerSelect } from "../../ui/forms/server-select.tsx";
import type { MaintainerFieldsProps, MaintainerScope } from "./maintainer-scope.ts";

export const repositoryScope: MaintainerScope<RepositoryMaintainerItem> = {
  name: "repositoryMaintainers",
  operations: maintainerOf.repository,
  resource: "REPOSITORY_MAINTAINER",
  textKeys: { create: "maintainer.createForRepository", candidates: "maintainer.onlyRepositoryMaintainers" },
  editedProperty: "repository",
  restorable: true,
  UserField: UserSelect,
  PlaceFields: RepositorySelect,
  draftOf: ({ user, repository }) => ({
    user: { value: String(user.id), label: user.name },
    person: user,
    repository: { value: String(repository.id), label: repository.name },
  }),
  placeOf: ({ repository }) => repository && { repositoryId: Number(repository.value) },
  placeText: ({ repository }) => repository.name,
  deletionText: (t, { repository }) => t("maintainer.deleteForRepository", { repository: repository.name }),
};

const candidates = peopleOfRoles(["repositorymaintainer", "admin"]);

function UserSelect({ draft, touched, onChange }: MaintainerFieldsProps) {
  const { t } = useTranslation();
  const [people, setPeople] = useState<ReadonlyMap<string, UserRef>>(new Map());
  return (
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
      value={draft.user}
      error={touched && !draft.user ? t("message.required") : undefined}
      onChange={(user) => onChange({ user, person: user && people.get(user.value), repository: undefined })}
    />
  );
}

/** Repositories; those that the user already maintains are marked and cannot be selected. */
function RepositorySelect({ draft: { person: user, repository }, touched, onChange }: MaintainerFieldsProps) {
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
      value={repository}
      error={touched && user && !repository ? t("message.required") : undefined}
      onChange={(chosen) => onChange({ repository: chosen })}
      disabled={!user}
      {...(user ? {} : { description: t("maintainer.chooseUser") })}
    />
  );
}
