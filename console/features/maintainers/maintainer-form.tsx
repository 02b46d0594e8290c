import "./texts.ts";
import "@mantine/core/styles/Alert.layer.css";
import { Alert, TextInput } from "@mantine/core";
import type { TFunction } from "i18next";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call, replace } from "../../api/client.ts";
import { warnOfRefusal } from "../../calls/report-failure.tsx";
import { useChange } from "../../calls/use-change.ts";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { fieldHooks } from "../../ui/forms/field-hooks.ts";
import { Form } from "../../ui/forms/form.tsx";
import { FormButtons } from "../../ui/forms/form-buttons.tsx";
import type { Maintainer, MaintainerDraft, MaintainerScope } from "./maintainer-scope.ts";

interface ScopeProps<Item extends Maintainer> {
  scope: MaintainerScope<Item>;
  onClose(): void;
}

export function CreateMaintainer<Item extends Maintainer>({ scope, onClose }: ScopeProps<Item>) {
  const { t } = useTranslation();
  const { operations, textKeys, UserField, PlaceFields } = scope;
  const [draft, setDraft] = useState<MaintainerDraft>({});
  const [touched, setTouched] = useState(false);
  const user = draft.user;
  const place = user && scope.placeOf(draft);
  const { busy, change } = useChange(
    () =>
      call(operations.create, {
        body: {
          user: { id: Number(user?.value) },
          repository: { id: place?.repositoryId },
          packageName: place?.packageName,
        },
      }),
    { success: appointed(scope, draft, t), onDone: onClose, onFailure: warnOfRefusal },
  );
  const update = (changed: MaintainerDraft) => setDraft((old) => ({ ...old, ...changed }));
  return (
    <Dialog kind="create" title={t(textKeys.create)} onClose={onClose}>
      <Form onAttempt={() => setTouched(true)} onSubmit={change}>
        <Alert>{t(textKeys.candidates)}</Alert>
        <UserField draft={draft} touched={touched} onChange={update} />
        <PlaceFields draft={draft} touched={touched} onChange={update} />
        <FormButtons
          verb={t(textKeys.create)}
          busy={busy}
          blocked={place ? undefined : t("reason.formInvalid")}
          onClose={onClose}
        />
      </Form>
    </Dialog>
  );
}

/** The user is fixed; what they maintain may change. */
export function EditMaintainer<Item extends Maintainer>({ scope, item, onClose }: ScopeProps<Item> & { item: Item }) {
  const { t } = useTranslation();
  const { PlaceFields } = scope;
  const [draft, setDraft] = useState(() => scope.draftOf(item));
  const [touched, setTouched] = useState(false);
  const before = scope.placeOf(scope.draftOf(item));
  const place = scope.placeOf(draft);
  const changes = [
    ...(place?.repositoryId === before?.repositoryId ? [] : [replace("/repository/id", place?.repositoryId)]),
    ...(place?.packageName === before?.packageName ? [] : [replace("/packageName", place?.packageName)]),
  ];
  const { busy, change } = useChange(() => call(scope.operations.edit, { id: item.id, body: changes }), {
    success: appointed(scope, { ...draft, user: { value: String(item.user.id), label: item.user.name } }, t),
    onDone: onClose,
    onFailure: warnOfRefusal,
  });
  const unchanged = changes.length === 0 ? t("reason.formUnchanged") : undefined;
  const blocked = place ? unchanged : t("reason.formInvalid");
  return (
    <Dialog kind="edit" title={t("maintainer.edit", { name: item.user.name })} onClose={onClose}>
      <Form onAttempt={() => setTouched(true)} blocked={blocked} onSubmit={change}>
        <TextInput
          label={t("column.user")}
          value={`${item.user.name} (${item.user.login})`}
          readOnly
          {...fieldHooks("user")}
        />
        <PlaceFields
          draft={draft}
          touched={touched}
          onChange={(changed) => setDraft((old) => ({ ...old, ...changed }))}
        />
        <FormButtons verb={t("action.save")} busy={busy} blocked={blocked} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

const appointed = <Item extends Maintainer>(
  scope: MaintainerScope<Item>,
  { user, repository, packageName }: MaintainerDraft,
  t: TFunction,
): string =>
  t("done.appoint", {
    name: user?.label,
    place: scope.placeText({ repository: { name: repository?.label ?? "" }, packageName: packageName?.label }),
  });
