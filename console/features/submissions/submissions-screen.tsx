import { seesDeleted } from "@packhouse/contract/abilities";
import { mayDelete, mayPatch } from "@packhouse/contract/links";
import { readSubmission } from "@packhouse/contract/operations/submissions";
import { submissionState } from "@packhouse/contract/references";
import { type SubmissionItem, submissionList } from "@packhouse/contract/submissions";
import { technology } from "@packhouse/contract/technology";
import {
  IconArrowRight,
  IconCheck,
  IconCircleX,
  IconDownload,
  IconNote,
  IconNotes,
  IconTrash,
  IconX,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { call } from "../../api/client.ts";
import { isKnownMissing } from "../../api/missing-routes.ts";
import { repositoryNames } from "../../api/options.ts";
import { deletePackage } from "../../calls/delete-package.ts";
import { savePackageFile } from "../../calls/package-file.ts";
import { formatNumber } from "../../language/i18n.ts";
import {
  type Blocker,
  type BulkAction,
  choices,
  defineList,
  notShown,
  type RowAction,
} from "../../list/define-list.ts";
import { inRepository } from "../../list/in-repository.ts";
import { isOtherKind, kindFilter } from "../../list/kind-filter.ts";
import { ListScreen } from "../../list/screen/list-screen.tsx";
import { DateCell } from "../../ui/display/date-cell.tsx";
import { Kind } from "../../ui/display/kind.tsx";
import { NameCell } from "../../ui/display/name-cell.tsx";
import { StateCell } from "../../ui/display/state-cell.tsx";
import { Markdown } from "../../ui/prose/markdown.tsx";
import textStyles from "../../ui/styles/text.module.css";
import { decide, decideMany, obstacle, type SubmissionAction } from "./submission-calls.ts";

const label = ({ packageBag }: SubmissionItem) =>
  inRepository(`${packageBag.name} ${packageBag.version}`, packageBag.repository);

const icons = { accept: IconCheck, reject: IconX, cancel: IconCircleX } as const;
const shortcuts = { accept: "a", reject: "r", cancel: "c" } as const;

/** Decisions are delayed for a few seconds, because the server cannot undo them. */
const decision = (action: Exclude<SubmissionAction, "download">): RowAction<SubmissionItem> => ({
  name: action,
  slot: action === "reject" ? 2 : 1,
  label: (_item, { t }) => t(`action.${action}`),
  icon: () => icons[action],
  shortcut: shortcuts[action],
  danger: action !== "accept",
  absent: (item, { user }) => obstacle(item, action, user.id) !== undefined,
  blockedBy: [],
  delayed: {
    doing: ({ t }) => t(`runningAction.${action}`),
    question: (item, { t }) => t("message.confirmDecision", { action: t(`action.${action}`), name: label(item) }),
  },
  run: async (item, _context, leaving) => {
    await decide(item, action, leaving);
  },
  done: (name, { t }) => t(`done.${action}`, { name }),
});

/** For those who may edit the package. It ends the wait as a cancellation, no matter who submitted it. */
const remove: RowAction<SubmissionItem> = {
  name: "delete",
  slot: 3,
  label: (_item, { t }) => t("action.deletePackage"),
  icon: () => IconTrash,
  danger: true,
  absent: ({ state, packageBag }) => state !== "WAITING" || packageBag.deleted || !mayDelete(packageBag),
  blockedBy: [],
  delayed: {
    doing: ({ t }) => t("runningAction.delete"),
    question: (item, { t }) => t("message.confirmDelete", { name: label(item) }),
  },
  run: async ({ packageBag }, _context, leaving) => {
    await deletePackage(packageBag, leaving);
  },
  done: (name, { t }) => t("done.delete", { name }),
};

const download: RowAction<SubmissionItem> = {
  name: "download",
  slot: 4,
  label: (_item, { t }) => t("action.download"),
  icon: () => IconDownload,
  shortcut: "d",
  absent: (item, { user }) => obstacle(item, "download", user.id) !== undefined,
  blockedBy: [],
  reads: true,
  run: ({ packageBag }) => savePackageFile(packageBag),
};

const notes: RowAction<SubmissionItem> = {
  name: "notes",
  slot: 5,
  label: (item, { t }) => (item.changes ? t("action.notes") : t("action.noNotes")),
  icon: (item) => (item.changes ? IconNotes : IconNote),
  blockedBy: [],
  reads: true,
  run: async (item, { toggleRow }) => toggleRow(item.id),
};

const open: RowAction<SubmissionItem> = {
  name: "open",
  slot: 6,
  label: (_item, { t }) => t("action.open"),
  icon: () => IconArrowRight,
  blockedBy: [
    ({ packageBag }, { user, t }) =>
      packageBag.deleted && !seesDeleted(user.role) ? t("reason.deleted", { what: t("resource.package") }) : undefined,
  ],
  reads: true,
  run: async ({ packageBag }, { go }) =>
    go({ to: "/packages/$technology/$id", params: { technology: packageBag.technology, id: packageBag.id } }),
};

/** Why an action is impossible for a submission, in words. */
const why =
  (action: SubmissionAction): Blocker<SubmissionItem> =>
  (item, { user, t }) => {
    const reason = obstacle(item, action, user.id);
    if (reason === "state")
      return t("reason.notMutable", { action: t(`actionInSentence.${action}`), state: t(`state.${item.state}`) });
    return reason && t("reason.notAuthorized");
  };

const bulk = (action: SubmissionAction): BulkAction<SubmissionItem> => {
  const word = (t: TFunction) => (action === "download" ? t("message.downloaded") : t("message.edited"));
  return {
    name: action,
    icon: { ...icons, download: IconDownload }[action],
    danger: action === "reject" || action === "cancel",
    verb: (t, count) => t("bulk.submissions", { verb: t(`action.${action}`), count, formatted: formatNumber(count) }),
    question: (t) => t("message.confirmMany", { action: t(`action.${action}`).toUpperCase() }),
    leftOut: (t) => t("message.notListed", { action: t(`actionInSentence.${action}`) }),
    none: (t) => ({
      title: t("message.noValidSubmissions"),
      help: t("message.noneSelectedHelp", { action: t(`actionInSentence.${action}`) }),
    }),
    untouched: (t) => (action === "download" ? t("message.notDownloaded") : t("bulk.untouched")),
    success: (t) => t("message.submissionsAll", { verb: word(t) }),
    partial: (t, done, failed) => t("message.submissionsSome", { verb: word(t), done, failed }),
    blockedBy: [why(action)],
    run: (item) => (action === "download" ? savePackageFile(item.packageBag) : decide(item, action)),
    ...(action === "download" ? {} : { runMany: (items) => decideMany(items, action) }),
  };
};

const inPackage = notShown("shown with the package");
const byName = notShown("its column orders by name");

const submissions = defineList(submissionList, {
  name: "submissions",
  heading: "nav.submissions",
  rowId: (item) => item.id,
  rowLabel: label,
  severalOpen: true,
  defaultSort: ["state", "desc"],
  furtherSort: { state: "created,desc" },
  filters: {
    search: { kind: "search", label: "filter.search" },
    technology: { kind: "choices", label: "filter.technology", testId: "technologies", options: technology.options },
    state: {
      label: "filter.status",
      ...choices(submissionState.options, (value) => `state.${value}`),
    },
    repository: { kind: "picker", label: "filter.repository", options: repositoryNames },
    fromDate: { kind: "date", end: "from", label: "filter.fromDate" },
    toDate: { kind: "date", end: "to", label: "filter.toDate" },
    binary: kindFilter,
    assignedToMe: { kind: "switch", label: "filter.assignedToMe" },
  },
  // Servers that do not know whose turn it is ignore the filter: then the links decide.
  implied: ({ assignedToMe }) => (assignedToMe === "true" ? { state: "WAITING" } : {}),
  hides: (item, { assignedToMe, binary }, { user }) =>
    (assignedToMe === "true" && obstacle(item, "accept", user.id) !== undefined) ||
    isOtherKind(item.packageBag, binary),
  columns: {
    "packageBag.name": {
      label: "column.package",
      width: "21%",
      bare: true,
      cell: (item) => <PackageName item={item} />,
    },
    "packageBag.binary": {
      label: "column.type",
      width: "98px",
      cell: ({ packageBag }) => <Kind binary={packageBag.binary} />,
    },
    "packageBag.repository": { label: "column.repository", cell: (item) => item.packageBag.repository.name },
    created: { label: "column.date", width: "100px", cell: (item) => <DateCell at={item.created} /> },
    "submitter.name": { label: "column.submitter", cell: (item) => item.submitter.name },
    "approver.name": { label: "column.approver", wideOnly: true, cell: (item) => item.approver?.name },
    state: {
      label: "column.status",
      width: "148px",
      bare: true,
      cell: (item) => <StateCell state={item.state} />,
    },
    id: notShown("the row shows it when it is opened"),
    changes: notShown("the row shows it when it is opened"),
    technology: inPackage,
    packageBag: inPackage,
    submitter: byName,
    approver: byName,
  },
  hasTimes: true,
  actions: [decision("accept"), decision("reject"), decision("cancel"), remove, download, notes, open],
  bulk: [bulk("accept"), bulk("reject"), bulk("cancel"), bulk("download")],
  whenEmpty: {
    hint: "list.emptySubmissions",
    label: "nav.upload",
    to: "/upload-packages",
    ability: "POST submissions",
  },
  detail: Notes,
});

export const SubmissionsScreen = (): ReactNode => (
  <ListScreen list={submissions} search={useSearch({ from: "/signed-in/submissions" })} />
);

/** The package; of a waiting one, the way to the review desk for those who may decide on it, and for its submitter. */
function PackageName({ item }: { item: SubmissionItem }) {
  const { packageBag: it } = item;
  const cell = (
    <NameCell technology={it.technology} name={it.name} version={it.version} second={it.title} active={it.active} />
  );
  if (item.state !== "WAITING" || !mayPatch(item, "state") || isKnownMissing({ path: "/reviews" })) return cell;
  return (
    <Link
      to="/review/$technology/$id"
      params={{ technology: item.technology, id: item.id }}
      className={textStyles.plainLink}
      data-testid={`review-${item.id}`}
    >
      {cell}
    </Link>
  );
}

function Notes({ item }: { item: SubmissionItem }) {
  const { t } = useTranslation();
  // A list shows the beginning of long notes; the submission itself has the full text.
  const { data: whole } = useQuery({
    queryKey: ["submission", item.id],
    queryFn: ({ signal }) => call(readSubmission, { id: item.id }, { signal }),
    enabled: item.shortened?.includes("changes") ?? false,
    meta: { shownInPlace: true },
  });
  const { changes } = whole ?? item;
  return changes ? (
    <Markdown text={changes} testId={`notes-of-${item.id}`} />
  ) : (
    <span className={textStyles.muted}>{t("message.noNotes")}</span>
  );
}
