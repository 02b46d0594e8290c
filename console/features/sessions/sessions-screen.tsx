import { endSession, endSessionsOfUser } from "@packhouse/contract/operations/sessions";
import { useSearch } from "@tanstack/react-router";
import "./texts.ts";
import { Button } from "@mantine/core";
import { mayDelete } from "@packhouse/contract/links";
import { type SessionItem, sessionList } from "@packhouse/contract/sessions";
import { IconLogout } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "../../api/client.ts";
import { useChange } from "../../calls/use-change.ts";
import { formatDateTime } from "../../language/i18n.ts";
import { SettingsTabs } from "../../layout/settings-tabs.tsx";
import { defineList, notShown, type RowAction } from "../../list/define-list.ts";
import { ListScreen } from "../../list/screen/list-screen.tsx";
import { useOwnUser } from "../../session/use-session.ts";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import nameCellStyles from "../../ui/display/name-cell.module.css";
import chipStyles from "../../ui/styles/chip.module.css";
import formStyles from "../../ui/styles/form.module.css";
import textStyles from "../../ui/styles/text.module.css";
import { deviceName } from "./device-name.ts";

const end = ({ id }: SessionItem) => call(endSession, { id });

const endAction: RowAction<SessionItem> = {
  name: "end",
  label: (_item, { t }) => t("ownSession.end"),
  icon: () => IconLogout,
  danger: true,
  blockedBy: [
    (item, { t }) => (item.current ? t("ownSession.isThis") : undefined),
    (item, { t }) => (mayDelete(item) ? undefined : t("reason.notAuthorized")),
  ],
  dialog: EndSession,
};

const sessions = defineList(sessionList, {
  name: "settingsSessions",
  heading: "settings.sessions",
  rowId: (item) => item.id,
  rowLabel: (item) => deviceName(item.device) || item.address,
  defaultSort: ["lastUsed", "desc"],
  filters: { userLogin: notShown("one sees one's own sessions here") },
  columns: {
    device: { label: "ownSession.device", bare: true, cell: (item) => <Device item={item} /> },
    address: { label: "ownSession.address", width: "200px", cell: (item) => item.address },
    lastUsed: { label: "column.lastUsed", width: "170px", cell: (item) => formatDateTime(item.lastUsed) },
    created: { label: "ownSession.signedIn", width: "170px", cell: (item) => formatDateTime(item.created) },
    expires: {
      label: "ownSession.ends",
      width: "170px",
      wideOnly: true,
      cell: (item) => formatDateTime(item.expires),
    },
    id: notShown("nothing to read"),
  },
  hasTimes: true,
  actions: [endAction],
});

export function SessionsScreen(): ReactNode {
  const search = useSearch({ from: "/signed-in/settings-sessions" });
  return (
    <ListScreen
      list={sessions}
      search={search}
      above={
        <>
          <SettingsTabs current="sessions" />
          <EndOthers />
        </>
      }
    />
  );
}

function Device({ item }: { item: SessionItem }) {
  const { t } = useTranslation();
  return (
    <span className={nameCellStyles.line} title={item.device}>
      <span className={nameCellStyles.text}>{deviceName(item.device) || t("ownSession.unknownDevice")}</span>
      {item.current && (
        <span className={chipStyles.chip} data-tone="green">
          {t("ownSession.this")}
        </span>
      )}
    </span>
  );
}

function EndSession({ item, onClose }: { item: SessionItem; onClose(): void }) {
  const { t } = useTranslation();
  const { busy, change } = useChange(() => end(item), { success: t("ownSession.ended"), onDone: onClose });
  return (
    <ConfirmDialog
      kind="end"
      title={t("ownSession.endQuestion")}
      verb={t("ownSession.end")}
      danger
      busy={busy}
      onConfirm={change}
      onClose={onClose}
    >
      <p>{t("ownSession.endHint", { device: deviceName(item.device) || item.address })}</p>
    </ConfirmDialog>
  );
}

function EndOthers() {
  const { t } = useTranslation();
  const user = useOwnUser();
  const [asked, setAsked] = useState(false);
  const close = () => setAsked(false);
  const { busy, change } = useChange(() => call(endSessionsOfUser, { id: user.id }), {
    success: t("ownSession.othersEnded"),
    onDone: close,
  });
  return (
    <div className={formStyles.buttons} style={{ justifyContent: "space-between", flexWrap: "wrap", marginBottom: 12 }}>
      <span className={textStyles.muted}>{t("ownSession.lead")}</span>
      <Button variant="default" onClick={() => setAsked(true)} data-testid="end-others">
        {t("ownSession.endOthers")}
      </Button>
      {asked && (
        <ConfirmDialog
          kind="endOthers"
          title={t("ownSession.endOthersQuestion")}
          verb={t("ownSession.endOthers")}
          danger
          busy={busy}
          onConfirm={change}
          onClose={close}
        >
          <p>{t("ownSession.endOthersHint")}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
