import { type PackageItem, packageList, packageOrigin } from "@packhouse/contract/packages";
import { submissionState } from "@packhouse/contract/references";
import { technology } from "@packhouse/contract/technology";
import { IconArrowRight, IconTrash } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { maintainerNames, repositoryNames } from "../../api/options.ts";
import { deletePackage } from "../../calls/delete-package.ts";
import { ToggleBox } from "../../calls/toggle-box.tsx";
import { bulkAction } from "../../list/bulk-actions.ts";
import { choices, defineList, notShown, type RowAction } from "../../list/define-list.ts";
import { isOtherKind, kindFilter } from "../../list/kind-filter.ts";
import { restoreAction } from "../../list/restore-action.ts";
import { ListScreen } from "../../list/screen/list-screen.tsx";
import { Kind } from "../../ui/display/kind.tsx";
import { NameCell } from "../../ui/display/name-cell.tsx";
import { StateCell } from "../../ui/display/state-cell.tsx";
import { lazyWithRetry } from "../../ui/loading/lazy-with-retry.ts";
import chipStyles from "../../ui/styles/chip.module.css";
import textStyles from "../../ui/styles/text.module.css";
import { OriginMark } from "./origin-mark.tsx";
import { packageQuery, restorePackage, setActive } from "./package-calls.ts";
import { packageLabel } from "./package-label.ts";
import { whyNotActivate, whyNotDelete } from "./package-obstacles.ts";
import styles from "./packages-screen.module.css";

const Description = lazyWithRetry(() => import("./description.tsx").then((it) => it.Description));
const DeletedBy = lazyWithRetry(() => import("../../event-summary/deleted-by.tsx").then((it) => it.DeletedBy));

const remove: RowAction<PackageItem> = {
  name: "delete",
  label: (_item, { t }) => t("action.delete"),
  icon: () => IconTrash,
  danger: true,
  blockedBy: [whyNotDelete],
  delayed: {
    doing: ({ t }) => t("runningAction.delete"),
    question: (item, { t }) => t("message.confirmDelete", { name: packageLabel(item) }),
  },
  run: async (item, _context, leaving) => {
    await deletePackage(item, leaving);
  },
  done: (name, { t }) => t("done.delete", { name }),
};

const open: RowAction<PackageItem> = {
  name: "open",
  label: (_item, { t }) => t("action.open"),
  icon: () => IconArrowRight,
  blockedBy: [],
  reads: true,
  run: async (item, { go }) =>
    go({ to: "/packages/$technology/$id", params: { technology: item.technology, id: item.id } }),
};

const elsewhere = notShown("in another column or on its page");

const packages = defineList(packageList, {
  name: "packages",
  heading: "nav.packages",
  rowId: (item) => item.id,
  rowLabel: packageLabel,
  isDeleted: (item) => item.deleted,
  defaultSort: ["name", "asc"],
  furtherSort: { name: "version,desc" },
  defaultFilters: { deleted: "false" },
  filters: {
    search: { kind: "search", label: "filter.search" },
    technology: { kind: "choices", label: "filter.technology", testId: "technologies", options: technology.options },
    repository: { kind: "picker", label: "filter.repository", options: repositoryNames },
    submissionState: {
      label: "filter.status",
      ...choices(submissionState.options, (value) => `state.${value}`),
    },
    maintainer: { kind: "picker", label: "filter.maintainer", options: maintainerNames, role: "repositorymaintainer" },
    origin: {
      label: "filter.origin",
      ...choices(packageOrigin.options, (value) => `origin.${value}`),
    },
    binary: kindFilter,
    deleted: { kind: "triState", label: "filter.deleted", role: "admin" },
    notMaintainedBy: notShown("for scripts"),
  },
  hides: (item, { binary }) => isOtherKind(item, binary),
  columns: {
    name: { label: "column.name", width: "34%", bare: true, cell: (item) => <PackageName item={item} /> },
    "user.name": { label: "column.maintainer", wideOnly: true, cell: (item) => item.user.name },
    repository: { label: "column.repository", cell: (item) => item.repository.name },
    binary: {
      label: "column.type",
      width: "90px",
      wideOnly: true,
      cell: (item) => <Kind binary={item.binary} />,
    },
    "submission.state": {
      label: "column.status",
      width: "160px",
      bare: true,
      cell: (item) => <StateCell state={item.submission.state} />,
    },
    active: { label: "column.active", width: "70px", cell: (item) => <ActiveBox item={item} /> },
    id: elsewhere,
    source: elsewhere,
    description: elsewhere,
    author: elsewhere,
    url: elsewhere,
    descriptionContentType: elsewhere,
    version: elsewhere,
    title: elsewhere,
    technology: elsewhere,
    deleted: elsewhere,
    user: elsewhere,
    submission: elsewhere,
  },
  hasTimes: false,
  actions: [restoreAction<PackageItem>(restorePackage), remove, open],
  bulk: [
    bulkAction("packages", "activate", {
      blockedBy: [(item, { t }) => (item.active ? t("reason.alreadyActive") : undefined), whyNotActivate],
      run: (item) => setActive(item, true),
      reverse: (item) => setActive(item, false),
    }),
    bulkAction("packages", "deactivate", {
      blockedBy: [(item, { t }) => (item.active ? undefined : t("reason.alreadyInactive")), whyNotActivate],
      run: (item) => setActive(item, false),
      reverse: (item) => setActive(item, true),
    }),
    {
      ...bulkAction<PackageItem>("packages", "delete", {
        blockedBy: [whyNotDelete],
        run: (item) => deletePackage(item),
      }),
      success: (t, count) => t("message.deletedAll", { count }),
      partial: (t, done, failed) => t("message.deletedSome", { done, failed }),
    },
  ],
  whenEmpty: {
    hint: "list.emptyPackages",
    label: "nav.upload",
    to: "/upload-packages",
    ability: "POST submissions",
  },
  detail: ({ item }) => <Summary item={item} />,
});

export const PackagesScreen = (): ReactNode => (
  <ListScreen list={packages} search={useSearch({ from: "/signed-in/packages" })} />
);

/** How long data prefetched on hover counts as fresh. */
const prefetchedMs = 10_000;

function PackageName({ item }: { item: PackageItem }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const prefetch = () =>
    void queries.prefetchQuery({ ...packageQuery(item.technology, item.id), staleTime: prefetchedMs });
  return (
    <Link
      onMouseEnter={prefetch}
      onFocus={prefetch}
      to="/packages/$technology/$id"
      params={{ technology: item.technology, id: item.id }}
      className={textStyles.plainLink}
    >
      <NameCell
        technology={item.technology}
        name={item.name}
        version={item.version}
        second={item.title}
        active={item.active}
        after={
          <>
            <OriginMark item={item} />
            {item.deleted && (
              <span className={chipStyles.chip} data-tone="red">
                {t("word.deleted")}
              </span>
            )}
          </>
        }
      />
    </Link>
  );
}

function Summary({ item }: { item: PackageItem }) {
  return (
    <>
      {item.deleted && (
        <Suspense>
          <DeletedBy
            type="PACKAGE"
            id={item.id}
            within={{ packageName: item.name, repositoryName: item.repository.name }}
          />
        </Suspense>
      )}
      <div className={styles.cut}>
        <Suspense>
          <Description
            text={item.description}
            contentType={item.descriptionContentType}
            testId={`summary-${item.id}`}
          />
        </Suspense>
      </div>
    </>
  );
}

/** Activates or deactivates a package. */
function ActiveBox({ item }: { item: PackageItem }) {
  const { t } = useTranslation();
  return (
    <ToggleBox
      state="active"
      checked={item.active}
      item={packageLabel(item)}
      blocked={whyNotActivate(item, { t })}
      testId={`activate-${item.id}`}
      set={(active) => setActive(item, active)}
    />
  );
}
