import "./texts.ts";
import { type AnyRepositoryItem, type RepositoryItem, repositoryList } from "@packhouse/contract/repositories";
import { hasRole } from "@packhouse/contract/roles";
import { technology } from "@packhouse/contract/technology";
import {
  IconAlertTriangle,
  IconLock,
  IconLockOpen,
  IconPackage,
  IconPencil,
  IconRotate,
  IconTrash,
  IconWorldX,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { configuration } from "../../api/configuration.ts";
import { repositoryMaintainerNames } from "../../api/options.ts";
import { ToggleBox } from "../../calls/toggle-box.tsx";
import { DeletedBy } from "../../event-summary/deleted-by.tsx";
import { formatDateTime, formatNumber } from "../../language/i18n.ts";
import { defineList, notShown, type RowAction } from "../../list/define-list.ts";
import { restoreAction } from "../../list/restore-action.ts";
import { ListScreen } from "../../list/screen/list-screen.tsx";
import { useOwnUser, useServerConfiguration } from "../../session/use-session.ts";
import { CopyButton } from "../../ui/copy/copy-button.tsx";
import { DateCell } from "../../ui/display/date-cell.tsx";
import { DetailRows } from "../../ui/display/detail-rows.tsx";
import nameCellStyles from "../../ui/display/name-cell.module.css";
import { NameCell } from "../../ui/display/name-cell.tsx";
import { explainedBy } from "../../ui/hint.tsx";
import textStyles from "../../ui/styles/text.module.css";
import { isDeprecatedAddress } from "./deprecated-address.ts";
import { itsPackages } from "./its-packages.ts";
import { readRepository, restoreRepository, setPublished } from "./repository-calls.ts";
import { DeleteRepository, RepublishDialog } from "./repository-dialogs.tsx";
import { CreateRepository, EditRepository } from "./repository-form.tsx";
import { whyNotDelete, whyNotEdit, whyNotPublish, whyNotRepublish } from "./repository-obstacles.ts";

const republishAction: RowAction<RepositoryItem> = {
  name: "republish",
  label: (_item, { t }) => t("action.republish"),
  icon: () => IconRotate,
  blockedBy: [whyNotRepublish],
  dialog: RepublishDialog,
};
const editAction: RowAction<RepositoryItem> = {
  name: "edit",
  label: (_item, { t }) => t("action.edit"),
  icon: () => IconPencil,
  blockedBy: [whyNotEdit],
  dialog: EditRepository,
};
const deleteAction: RowAction<RepositoryItem> = {
  name: "delete",
  label: (_item, { t }) => t("action.delete"),
  icon: () => IconTrash,
  danger: true,
  blockedBy: [whyNotDelete],
  dialog: DeleteRepository,
};
const seePackages: RowAction<RepositoryItem> = {
  name: "open",
  label: (_item, { t }) => t("action.seePackages"),
  icon: () => IconPackage,
  blockedBy: [],
  reads: true,
  run: async (item, { go }) => go(itsPackages(item)),
};

const onItsPage = notShown("on the page of the repository");
const inName = notShown("shown with the name");

const repositories = defineList(repositoryList, {
  name: "repositories",
  heading: "nav.repositories",
  rowId: (item) => item.id,
  rowLabel: (item) => item.name,
  isDeleted: (item) => item.deleted,
  defaultSort: ["name", "asc"],
  defaultFilters: { deleted: "false", published: "true" },
  filters: {
    search: { kind: "search", label: "filter.search" },
    technology: { kind: "choices", label: "filter.technology", testId: "technologies", options: technology.options },
    maintainer: { kind: "picker", label: "filter.maintainer", options: repositoryMaintainerNames, role: "admin" },
    published: { kind: "triState", label: "filter.published" },
    deleted: { kind: "triState", label: "filter.deleted", role: "admin" },
    name: notShown("the search finds it"),
  },
  columns: {
    name: { label: "column.name", width: "40%", bare: true, cell: (item) => <RepositoryName item={item} /> },
    numberOfPackages: {
      label: "column.packages",
      align: "end",
      width: "100px",
      cell: (item) => formatNumber(item.numberOfPackages),
    },
    lastModifiedTimestamp: {
      label: "column.lastModified",
      wideOnly: true,
      width: "140px",
      cell: (item) => <DateCell at={item.lastModifiedTimestamp} />,
    },
    lastPublicationTimestamp: {
      label: "column.lastPublished",
      wideOnly: true,
      width: "160px",
      cell: (item) => <Published item={item} />,
    },
    published: { label: "column.published", width: "120px", cell: (item) => <PublishedBox item={item} /> },
    id: onItsPage,
    version: onItsPage,
    serverAddress: onItsPage,
    synchronizing: onItsPage,
    lastPublicationSuccessful: onItsPage,
    publicationUri: inName,
    technology: inName,
    requiresAuthentication: inName,
    deleted: inName,
  },
  hasTimes: true,
  actions: [restoreAction<RepositoryItem>(restoreRepository), republishAction, editAction, deleteAction, seePackages],
  detail: RepositoryDetail,
  add: {
    ability: "POST repository",
    label: ({ t }) => t("action.addRepository"),
    blockedBy: [
      (_item, { configuration, t }) =>
        configuration?.declarativeModeEnabled ? t("reason.declarativeCreate") : undefined,
    ],
    dialog: CreateRepository,
  },
});

export const RepositoriesScreen = (): ReactNode => (
  <ListScreen list={repositories} search={useSearch({ from: "/signed-in/repositories" })} />
);

function RepositoryName({ item }: { item: RepositoryItem }) {
  const { t } = useTranslation();
  const hint = item.requiresAuthentication ? t("repository.authRequired") : t("repository.authNotRequired");
  const Icon = item.requiresAuthentication ? IconLock : IconLockOpen;
  const cell = (
    <NameCell
      technology={item.technology}
      name={item.name}
      active={item.published}
      second={item.publicationUri}
      after={
        <>
          <span className={nameCellStyles.mark} role="img" aria-label={hint} {...explainedBy(hint)}>
            <Icon size={14} stroke={2} />
          </span>
          {configuration().deprecatedAddressWarning && isDeprecatedAddress(item.serverAddress) && (
            <span
              className={nameCellStyles.mark}
              data-warning
              role="img"
              aria-label={t("repository.deprecatedAddress")}
              data-testid={`deprecated-${item.id}`}
              {...explainedBy(t("repository.deprecatedAddress"))}
            >
              <IconAlertTriangle size={14} stroke={2} />
            </span>
          )}
        </>
      }
    />
  );
  return (
    <span className={nameCellStyles.withCopy}>
      <Link
        to="/repositories/$technology/$id"
        params={{ technology: item.technology, id: item.id }}
        className={textStyles.plainLink}
      >
        {cell}
      </Link>
      <CopyAddress address={item.publicationUri} />
    </span>
  );
}

function CopyAddress({ address }: { address: string }) {
  const { t } = useTranslation();
  return <CopyButton text={address} label={`${t("action.copy")} ${address}`} />;
}

function Published({ item }: { item: RepositoryItem }) {
  const { t } = useTranslation();
  const failed = item.published && item.lastPublicationTimestamp !== "" && !item.lastPublicationSuccessful;
  return (
    <span style={{ display: "inline-flex", gap: 6, alignItems: "center" }}>
      <DateCell at={item.lastPublicationTimestamp} />
      {failed && (
        <span
          className={textStyles.bad}
          style={{ display: "inline-flex" }}
          role="img"
          aria-label={t("word.failed")}
          {...explainedBy(t("word.failed"))}
        >
          <IconWorldX size={16} aria-hidden />
        </span>
      )}
    </span>
  );
}

function PublishedBox({ item }: { item: RepositoryItem }) {
  const { t } = useTranslation();
  const server = useServerConfiguration();
  const user = useOwnUser();
  const blocked = whyNotPublish(item, { t, configuration: server, user });
  return (
    <ToggleBox
      state="published"
      checked={item.published}
      item={item.name}
      blocked={blocked}
      testId={`publish-${item.id}`}
      set={(published) => setPublished(item, published)}
    />
  );
}

function RepositoryDetail({ item }: { item: RepositoryItem }) {
  const { t } = useTranslation();
  const user = useOwnUser();
  const query = useQuery({
    queryKey: ["repository", item.technology, item.id],
    queryFn: ({ signal }) => readRepository(item, signal),
    meta: { shownInPlace: true },
  });
  const data: AnyRepositoryItem = query.data ?? item;
  const yesNo = (value: boolean) => (value ? t("word.yes") : t("word.no"));
  const rows: [name: string, label: string, value: ReactNode][] = [
    ["lastModified", t("repository.lastModification"), formatDateTime(data.lastModifiedTimestamp)],
    [
      "lastPublished",
      t("repository.lastPublication"),
      data.lastPublicationTimestamp
        ? `${formatDateTime(data.lastPublicationTimestamp)} · ${data.lastPublicationSuccessful ? t("word.succeeded") : t("word.failed")}`
        : t("word.never"),
    ],
    ["packages", t("repository.packageCount"), formatNumber(data.numberOfPackages)],
  ];
  if (data.synchronizing) rows.push(["publicationStatus", t("column.status"), t("word.synchronizing")]);
  if (data.hashMethod) rows.push(["hashMethod", t("repository.hashMethod"), data.hashMethod]);
  if (data.redirectToSource !== undefined)
    rows.push(["redirectToSource", t("repository.redirectToSource"), yesNo(data.redirectToSource)]);
  const address = (value: string) => (
    <span key="address" className={textStyles.word}>
      <span className={`${textStyles.mono} ${textStyles.anywhere}`}>{value}</span>
      <CopyAddress address={value} />
    </span>
  );
  rows.push(["publicationUri", t("repository.publicationUri"), address(data.publicationUri)]);
  if (hasRole(user.role, "repositorymaintainer"))
    rows.push(["serverAddress", t("repository.serverAddress"), address(data.serverAddress)]);
  if (item.deleted) return <DeletedBy type="REPOSITORY" id={item.id} />;
  return <DetailRows rows={rows} />;
}
