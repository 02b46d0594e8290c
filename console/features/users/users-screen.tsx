import { editUser, listRoles } from "@packhouse/contract/operations/users";
import "./texts.ts";
import "@mantine/core/styles/Alert.layer.css";
import { Alert, Select } from "@mantine/core";
import { mayPatch } from "@packhouse/contract/links";
import { roleName } from "@packhouse/contract/roles";
import { type UserItem, userList } from "@packhouse/contract/users";
import { IconKey } from "@tabler/icons-react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { call, replace } from "../../api/client.ts";
import { DeleteDialog } from "../../calls/delete-dialog.tsx";
import { ToggleBox } from "../../calls/toggle-box.tsx";
import { useChange } from "../../calls/use-change.ts";
import { DeletedBy } from "../../event-summary/deleted-by.tsx";
import { compareTexts, formatDateTime } from "../../language/i18n.ts";
import { bulkAction } from "../../list/bulk-actions.ts";
import { type Blocker, choices, defineList, notShown, type RowAction } from "../../list/define-list.ts";
import { deleteAction, editAction } from "../../list/record-actions.ts";
import { restoreAction } from "../../list/restore-action.ts";
import { ListScreen } from "../../list/screen/list-screen.tsx";
import { roleLabel } from "../../session/role.ts";
import { signOut } from "../../session/sign-out.ts";
import { useOwnUser, useServerConfiguration } from "../../session/use-session.ts";
import { CopyButton } from "../../ui/copy/copy-button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { DetailRows } from "../../ui/display/detail-rows.tsx";
import nameCellStyles from "../../ui/display/name-cell.module.css";
import { fieldHooks } from "../../ui/forms/field-hooks.ts";
import { Form } from "../../ui/forms/form.tsx";
import { FormButtons } from "../../ui/forms/form-buttons.tsx";
import chipStyles from "../../ui/styles/chip.module.css";
import { EndingRecords } from "./ending-records.tsx";
import { ResetSignIn } from "./reset-sign-in.tsx";

const change = ({ id }: UserItem, property: string, value: unknown, leaving = false) =>
  call(editUser, { id, body: [replace(`/${property}`, value)] }, { keepalive: leaving });

const oneself: Blocker<UserItem> = (item, { user, t }) => (item.id === user.id ? t("reason.deleteSelf") : undefined);

/** Users cannot deactivate themselves. */
const mayNotSwitch: Blocker<UserItem> = (item, { user, t }) =>
  item.id === user.id ? t("reason.deactivateSelf") : mayPatch(item, "active") ? undefined : t("reason.notAuthorized");

/** Absent if the server does not report whether a user has a password, and for users without one. */
const resetSignInAction: RowAction<UserItem> = {
  name: "resetSignIn",
  label: (_item, { t }) => t("resetSignIn.action"),
  icon: () => IconKey,
  absent: (item) => item.hasPassword !== true,
  blockedBy: [
    (item, { t }) => (item.deleted ? t("reason.deleted", { what: t("resource.user") }) : undefined),
    (item, { user, t }) => (item.id === user.id ? t("resetSignIn.self") : undefined),
    (item, { t }) => (mayPatch(item, "active") ? undefined : t("reason.notAuthorized")),
  ],
  dialog: ResetSignIn,
};

const whenOpened = notShown("the row shows it when it is opened");

const users = defineList(userList, {
  name: "users",
  heading: "nav.users",
  rowId: (item) => item.id,
  rowLabel: (item) => item.name,
  isDeleted: (item) => item.deleted,
  defaultSort: ["name", "asc"],
  defaultFilters: { active: "true", deleted: "false" },
  filters: {
    search: { kind: "search", label: "filter.search" },
    role: {
      label: "filter.role",
      testId: "roles",
      ...choices(roleName.options, (value) => `role.${value}`),
    },
    active: { kind: "triState", label: "filter.active" },
    deleted: { kind: "triState", label: "filter.deleted" },
  },
  columns: {
    login: { label: "column.login", width: "17%", bare: true, cell: (item) => <Login item={item} /> },
    name: { label: "column.displayName", width: "18%", cell: (item) => item.name },
    email: { label: "column.email", cell: (item) => <Email address={item.email} /> },
    role: {
      label: "column.role",
      width: "170px",
      cell: (item, { t }) => <span className={chipStyles.chip}>{roleLabel(item.role, t)}</span>,
    },
    active: { label: "column.active", width: "90px", cell: (item) => <ActiveBox item={item} /> },
    id: whenOpened,
    lastLoggedInOn: whenOpened,
    createdOn: whenOpened,
    deleted: notShown("shown with the login"),
    roleId: notShown("the role has its name"),
    userSettings: notShown("each user's own choice"),
  },
  hasTimes: true,
  actions: [
    restoreAction((item) => change(item, "deleted", false)),
    editAction("user", "roleId", EditRole, "action.editRole"),
    resetSignInAction,
    deleteAction("user", DeleteUser, [oneself]),
  ],
  bulk: [
    bulkAction("users", "activate", {
      blockedBy: [(item, { t }) => (item.active ? t("reason.alreadyActive") : undefined), mayNotSwitch],
      run: (item) => change(item, "active", true),
      reverse: (item) => change(item, "active", false),
    }),
    bulkAction("users", "deactivate", {
      blockedBy: [(item, { t }) => (item.active ? undefined : t("reason.alreadyInactive")), mayNotSwitch],
      run: (item) => change(item, "active", false),
      reverse: (item) => change(item, "active", true),
    }),
  ],
  detail: UserDetail,
});

export const UsersScreen = (): ReactNode => (
  <ListScreen list={users} search={useSearch({ from: "/signed-in/users" })} />
);

function Login({ item }: { item: UserItem }) {
  const { t } = useTranslation();
  return (
    <span className={nameCellStyles.line}>
      <span className={nameCellStyles.text}>{item.login}</span>
      {item.deleted && (
        <span className={chipStyles.chip} data-tone="red">
          {t("word.deleted")}
        </span>
      )}
    </span>
  );
}

function Email({ address }: { address: string }) {
  const { t } = useTranslation();
  return (
    <span style={{ display: "inline-flex", alignItems: "center", maxWidth: "100%" }}>
      <span style={{ overflow: "hidden", textOverflow: "ellipsis" }}>{address}</span>
      <CopyButton text={address} label={`${t("action.copy")} ${address}`} />
    </span>
  );
}

function ActiveBox({ item }: { item: UserItem }) {
  const { t } = useTranslation();
  const user = useOwnUser();
  const configuration = useServerConfiguration();
  return (
    <ToggleBox
      state="active"
      checked={item.active}
      item={item.name}
      blocked={mayNotSwitch(item, { t, user, configuration })}
      testId={`activate-${item.id}`}
      set={(active) => change(item, "active", active)}
    />
  );
}

function UserDetail({ item }: { item: UserItem }) {
  const { t } = useTranslation();
  return (
    <>
      {item.deleted && <DeletedBy type="USER" id={item.id} />}
      <DetailRows
        rows={[
          ["createdOn", t("column.createdOn"), formatDateTime(item.createdOn)],
          [
            "lastLoggedInOn",
            t("column.lastLoggedIn"),
            item.lastLoggedInOn ? formatDateTime(item.lastLoggedInOn) : t("word.never"),
          ],
          ...(item.expirationDate === undefined
            ? []
            : [
                [
                  "expirationDate",
                  t("column.expirationDate"),
                  item.expirationDate ? formatDateTime(item.expirationDate) : t("word.never"),
                ] as const,
              ]),
        ]}
      />
    </>
  );
}

/** The server's own list of roles. */
const rolesQuery = queryOptions({
  queryKey: ["users", "roles"],
  queryFn: async ({ signal }) => (await call(listRoles, {}, { signal })).content,
  staleTime: Number.POSITIVE_INFINITY,
});

function EditRole({ item, onClose }: { item: UserItem; onClose(): void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const self = useOwnUser().id === item.id;
  const [roleId, setRoleId] = useState(item.roleId);
  const unchanged = roleId === item.roleId ? t("reason.formUnchanged") : undefined;
  const { data: roles } = useQuery(rolesQuery);
  const newRole = roles?.find(({ id }) => id === roleId)?.name ?? item.role;
  const { busy, change: save } = useChange(() => change(item, "roleId", roleId), {
    success: t("done.role", { name: item.name, role: roleLabel(newRole, t) }),
    onDone: () => {
      onClose();
      if (!self) return;
      signOut();
      void navigate({ to: "/login" });
    },
  });
  return (
    <Dialog kind="edit" title={t("user.editRole", { name: item.name })} onClose={onClose}>
      <Form blocked={unchanged} onSubmit={save}>
        <Select
          label={t("column.role")}
          data={(roles ?? [{ id: item.roleId, name: item.role }])
            .map(({ id, name }) => ({ value: String(id), label: roleLabel(name, t) }))
            .sort((a, b) => compareTexts(a.label, b.label))}
          value={String(roleId)}
          allowDeselect={false}
          onChange={(value) => setRoleId(Number(value ?? item.roleId))}
          {...fieldHooks("roleId")}
        />
        {roleId !== item.roleId && <EndingRecords item={item} />}
        {self && roleId !== item.roleId && <Alert>{t("user.ownRole")}</Alert>}
        <FormButtons verb={t("action.save")} busy={busy} blocked={unchanged} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

function DeleteUser({ item, onClose }: { item: UserItem; onClose(): void }) {
  const { t } = useTranslation();
  return (
    <DeleteDialog
      name={item.name}
      rowKey={`users/${item.id}`}
      remove={(leaving) => change(item, "deleted", true, leaving)}
      onClose={onClose}
    >
      <p>{t("user.deleteHint")}</p>
    </DeleteDialog>
  );
}
