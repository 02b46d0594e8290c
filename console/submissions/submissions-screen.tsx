import { submissionState } from "@packhouse/contract/references";
import { type SubmissionItem, submissionList } from "@packhouse/contract/submissions";
import { technology } from "@packhouse/contract/technology";
import { IconArrowRight, IconCheck, IconCircleX, IconDownload, IconX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { repositoryNames } from "../api/options.ts";
import { savePackageFile } from "../api/package-file.ts";
import { defineList, type ListContext, type RowAction } from "../list/define-list.ts";
import { ListScreen } from "../list/list-screen.tsx";
import { DateCell } from "../ui/date-cell.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { NameCell } from "../ui/name-cell.tsx";
import { StateCell } from "../ui/state-cell.tsx";
import { bulkDialog } from "./bulk-dialog.tsx";
import { type Deed, obstacle, settle } from "./submission-calls.ts";

const label = ({ packageBag }: SubmissionItem) =>
  `${packageBag.name} ${packageBag.version} in ${packageBag.repository.name}`;

const icons = { accept: IconCheck, reject: IconX, cancel: IconCircleX } as const;
const shortcuts = { accept: "a", reject: "r", cancel: "c" } as const;

/** A verdict is held back for some seconds, because the server takes none back. */
const verdict = (deed: Exclude<Deed, "download">): RowAction<SubmissionItem> => ({
  name: deed,
  label: (_item, { t }) => t(`action.${deed}`),
  icon: () => icons[deed],
  shortcut: shortcuts[deed],
  danger: deed !== "accept",
  absent: (item, { user }) => obstacle(item, deed, user.id) !== undefined,
  blockedBy: [],
  held: {
    doing: ({ t }) => t(`held.${deed}`),
    question: (item, { t }) => t("message.confirmVerdict", { action: t(`action.${deed}`), name: label(item) }),
  },
  run: async (item, _context, leaving) => {
    await settle(item, deed, leaving);
  },
});

const download: RowAction<SubmissionItem> = {
  name: "download",
  label: (_item, { t }) => t("action.download"),
  icon: () => IconDownload,
  shortcut: "d",
  absent: (item, { user }) => obstacle(item, "download", user.id) !== undefined,
  blockedBy: [],
  reads: true,
  run: ({ packageBag }) => savePackageFile(packageBag),
};

const open: RowAction<SubmissionItem> = {
  name: "open",
  label: (_item, { t }) => t("action.open"),
  icon: () => IconArrowRight,
  blockedBy: [(item, { t }) => (item.packageBag.deleted ? t("reason.noDetails") : undefined)],
  reads: true,
  run: async ({ packageBag }, { go }) => go(`/packages/${packageBag.technology}/${packageBag.id}`),
};

const doing =
  (deed: Deed) =>
  ({ t }: ListContext): string =>
    t(`action.${deed}`);

const submissions = defineList(submissionList, {
  name: "submissions",
  heading: "nav.submissions",
  rowId: (item) => item.id,
  rowLabel: label,
  defaultSort: ["state", "desc"],
  furtherSort: { state: "created,desc" },
  filters: {
    search: { kind: "search", label: "filter.search" },
    technology: { kind: "choices", label: "filter.technology", testId: "technologies", options: technology.options },
    state: {
      kind: "choices",
      label: "filter.status",
      options: submissionState.options,
      optionLabel: (t, value) => t(`state.${value}` as never),
    },
    repository: { kind: "picker", label: "filter.repository", options: repositoryNames },
    fromDate: { kind: "date", label: "filter.fromDate" },
    toDate: { kind: "date", label: "filter.toDate" },
    assignedToMe: { kind: "switch", label: "filter.assignedToMe" },
  },
  columns: [
    {
      label: "column.package",
      sort: "packageBag.name",
      width: "32%",
      bare: true,
      cell: ({ packageBag: it }) => (
        <NameCell technology={it.technology} name={it.name} version={it.version} second={it.title} active={it.active} />
      ),
    },
    { label: "column.repository", sort: "packageBag.repository", cell: (item) => item.packageBag.repository.name },
    { label: "column.date", sort: "created", width: "110px", cell: (item) => <DateCell at={item.created} /> },
    { label: "column.submitter", sort: "submitter.name", cell: (item) => item.submitter.name },
    { label: "column.approver", sort: "approver.name", wideOnly: true, cell: (item) => item.approver?.name },
    {
      label: "column.status",
      sort: "state",
      width: "160px",
      bare: true,
      cell: (item) => <StateCell state={item.state} />,
    },
  ],
  actions: [verdict("accept"), verdict("reject"), verdict("cancel"), download, open],
  bulk: [
    { name: "accept", icon: IconCheck, label: doing("accept"), dialog: bulkDialog("accept") },
    { name: "reject", icon: IconX, danger: true, label: doing("reject"), dialog: bulkDialog("reject") },
    { name: "cancel", icon: IconCircleX, danger: true, label: doing("cancel"), dialog: bulkDialog("cancel") },
    { name: "download", icon: IconDownload, label: doing("download"), dialog: bulkDialog("download") },
  ],
  detail: Notes,
});

export const SubmissionsScreen = () => <ListScreen list={submissions} />;

function Notes({ item }: { item: SubmissionItem }) {
  const { t } = useTranslation();
  return item.changes ? (
    <Markdown text={item.changes} testId={`notes-of-${item.id}`} />
  ) : (
    <span className="ph-muted">{t("message.noNotes")}</span>
  );
}
