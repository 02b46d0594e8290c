import { deleteAccessToken, editAccessToken } from "@packhouse/contract/operations/access-tokens";
import { useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import "./texts.ts";
import { type AccessTokenItem, accessTokenList } from "@packhouse/contract/access-tokens";
import { mayDelete, mayPatch } from "@packhouse/contract/links";
import { IconCheck, IconKeyOff, IconPencil, IconRefresh, IconTrash, IconX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { call, replace } from "../../api/client.ts";
import { userLogins } from "../../api/options.ts";
import { DeleteDialog } from "../../calls/delete-dialog.tsx";
import { useChange } from "../../calls/use-change.ts";
import { isPlainDate } from "../../language/i18n.ts";
import { SettingsTabs } from "../../layout/settings-tabs.tsx";
import { bulkAction } from "../../list/bulk-actions.ts";
import { type Blocker, defineList, notShown, type RowAction } from "../../list/define-list.ts";
import { ListScreen } from "../../list/screen/list-screen.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { DateCell } from "../../ui/display/date-cell.tsx";
import nameCellStyles from "../../ui/display/name-cell.module.css";
import { formatRelative } from "../../ui/display/relative-time.ts";
import chipStyles from "../../ui/styles/chip.module.css";
import textStyles from "../../ui/styles/text.module.css";
import { CreateToken, EditToken, RotateToken } from "./access-token-dialogs.tsx";

const inactive: Blocker<AccessTokenItem> = (item, { t }) => (item.active ? undefined : t("reason.inactive"));
const mayNotPatch =
  (property: string): Blocker<AccessTokenItem> =>
  (item, { t }) =>
    mayPatch(item, property) ? undefined : t("reason.notAuthorized");

const deactivate = ({ id }: AccessTokenItem) => call(editAccessToken, { id, body: [replace("/active", false)] });
const remove = ({ id }: AccessTokenItem) => call(deleteAccessToken, { id });

const editAction: RowAction<AccessTokenItem> = {
  name: "edit",
  label: (_item, { t }) => t("action.edit"),
  icon: () => IconPencil,
  blockedBy: [inactive, mayNotPatch("name")],
  dialog: EditToken,
};
const rotateAction: RowAction<AccessTokenItem> = {
  name: "rotate",
  label: (_item, { t }) => t("token.rotate"),
  icon: () => IconRefresh,
  // A new token always belongs to the user.
  blockedBy: [
    inactive,
    mayNotPatch("active"),
    (item, { user, t }) => (item.user.id === user.id ? undefined : t("reason.notAuthorized")),
  ],
  dialog: RotateToken,
};
const deactivateAction: RowAction<AccessTokenItem> = {
  name: "deactivate",
  label: (_item, { t }) => t("action.deactivate"),
  icon: () => IconKeyOff,
  blockedBy: [inactive, mayNotPatch("active")],
  dialog: Deactivate,
};
const deleteAction: RowAction<AccessTokenItem> = {
  name: "delete",
  label: (_item, { t }) => t("action.delete"),
  icon: () => IconTrash,
  danger: true,
  blockedBy: [(item, { t }) => (mayDelete(item) ? undefined : t("reason.notAuthorized"))],
  dialog: Delete,
};

const tokens = defineList(accessTokenList, {
  name: "settingsTokens",
  heading: "settings.tokens",
  rowId: (item) => item.id,
  rowLabel: (item) => item.name,
  defaultSort: ["name", "asc"],
  // Administrators see all tokens, but their own by default.
  defaultFilters: ({ role, login }) => ({
    active: "true",
    expired: "false",
    ...(role === "admin" ? { userLogin: login } : {}),
  }),
  filters: {
    search: { kind: "search", label: "filter.search" },
    userLogin: { kind: "picker", label: "filter.user", testId: "users", role: "admin", options: userLogins },
    active: { kind: "triState", label: "filter.active" },
    expired: { kind: "triState", label: "filter.expired" },
  },
  columns: {
    name: {
      label: "column.name",
      bare: true,
      cell: (item) => <span className={nameCellStyles.text}>{item.name}</span>,
    },
    user: { label: "column.user", width: "180px", role: "admin", cell: (item) => item.user.name },
    lastUsed: { label: "column.lastUsed", width: "130px", cell: (item) => <LastUsed item={item} /> },
    creationDate: {
      label: "column.createdOn",
      width: "130px",
      wideOnly: true,
      cell: (item) => <DateCell at={item.creationDate} />,
    },
    expirationDate: {
      label: "column.expirationDate",
      width: "170px",
      cell: (item) => <Expiration item={item} />,
    },
    active: { label: "column.active", width: "110px", cell: (item) => <Active item={item} /> },
    id: notShown("nothing to read"),
    value: notShown("shown once, when the token is made"),
    deleted: notShown("deleted tokens are gone"),
  },
  hasTimes: true,
  actions: [rotateAction, editAction, deactivateAction, deleteAction],
  bulk: [
    bulkAction("tokens", "deactivate", {
      blockedBy: deactivateAction.blockedBy,
      run: deactivate,
    }),
    bulkAction("tokens", "delete", { blockedBy: deleteAction.blockedBy, run: remove }),
  ],
  add: {
    ability: "POST settings",
    label: ({ t }) => t("token.create"),
    blockedBy: [],
    dialog: CreateToken,
  },
});

export function AccessTokensScreen(): ReactNode {
  const search = useSearch({ from: "/signed-in/settings-tokens" });
  return <ListScreen list={tokens} search={search} above={<SettingsTabs current="tokens" />} />;
}

function LastUsed({ item }: { item: AccessTokenItem }) {
  const { t } = useTranslation();
  return item.lastUsed ? <DateCell at={item.lastUsed} /> : <span className={textStyles.warn}>{t("word.never")}</span>;
}

const warnDays = 14;

/** As reported by the server, otherwise by the clock. A date without a time lasts until the end of its day. */
function isExpired({ expired, expirationDate }: AccessTokenItem): boolean {
  const end = isPlainDate(expirationDate) ? `${expirationDate}T23:59:59.999Z` : expirationDate;
  return expired ?? Date.parse(end) < Date.now();
}

function Expiration({ item }: { item: AccessTokenItem }) {
  const { t } = useTranslation();
  const expired = isExpired(item);
  const soon = item.active && !expired && Date.parse(item.expirationDate) < Date.now() + warnDays * 86_400_000;
  return (
    <span style={{ display: "inline-flex", gap: 6, alignItems: "center" }}>
      <DateCell at={item.expirationDate} />
      {expired && (
        <span className={chipStyles.chip} data-tone="red">
          {t("word.expired")}
        </span>
      )}
      {soon && (
        <span className={chipStyles.chip} data-tone="orange">
          {formatRelative(item.expirationDate)}
        </span>
      )}
    </span>
  );
}

function Active({ item }: { item: AccessTokenItem }) {
  const { t } = useTranslation();
  const Icon = item.active ? IconCheck : IconX;
  const label = item.active ? t("word.active") : t("word.inactive");
  return (
    <span className={textStyles.word}>
      <Icon size={18} stroke={1.75} className={item.active ? textStyles.good : textStyles.muted} aria-hidden />
      {label}
    </span>
  );
}

function Deactivate({ item, onClose }: { item: AccessTokenItem; onClose(): void }) {
  const { t } = useTranslation();
  const { busy, change } = useChange(() => deactivate(item), {
    success: t("token.deactivated"),
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      kind="deactivate"
      title={t("token.confirmDeactivate", { name: item.name })}
      verb={t("action.deactivate")}
      danger
      busy={busy}
      onConfirm={change}
      onClose={onClose}
    >
      <p>{t("token.deactivateHint")}</p>
    </ConfirmDialog>
  );
}

function Delete({ item, onClose }: { item: AccessTokenItem; onClose(): void }) {
  const { t } = useTranslation();
  return <DeleteDialog name={item.name} remove={() => remove(item)} success={t("token.deleted")} onClose={onClose} />;
}
