import { readSubmission } from "@packhouse/contract/operations/submissions";
import { packageList } from "@packhouse/contract/packages";
import type { UserRef } from "@packhouse/contract/references";
import type { SubmissionItem } from "@packhouse/contract/submissions";
import { IconMail } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { memo, type ReactNode, Suspense, useDeferredValue, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { call } from "../../../api/client.ts";
import { configuration } from "../../../api/configuration.ts";
import { ApiFailure } from "../../../api/failure.ts";
import { loadFailure } from "../../../api/load-failure.ts";
import { NotFoundScreen } from "../../../layout/not-found-screen.tsx";
import { listSearch } from "../../../list/list-address.ts";
import { lastSearch } from "../../../session/last-searches.ts";
import { copyText } from "../../../ui/copy/copy-text.ts";
import cardStyles from "../../../ui/display/card.module.css";
import { Card, Facts, Tick } from "../../../ui/display/card.tsx";
import { FailedLoad } from "../../../ui/display/failed-load.tsx";
import { ZoneNote } from "../../../ui/display/zone-note.tsx";
import { setTitle } from "../../../ui/document-title.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { lazyWithRetry } from "../../../ui/loading/lazy-with-retry.ts";
import { useSteps } from "../../../ui/loading/use-steps.ts";
import detailsStyles from "../../../ui/styles/details.module.css";
import loadingStyles from "../../../ui/styles/loading.module.css";
import textStyles from "../../../ui/styles/text.module.css";
import { Description } from "../description.tsx";
import { type AnyPackageItem, packageQuery } from "../package-calls.ts";
import { ClassifiersCard } from "./classifiers-card.tsx";
import { DependentsCard } from "./dependencies.tsx";
import { FilesCard } from "./files-card.tsx";
import { InstallCard } from "./install-card.tsx";
import { PackageHead } from "./package-head.tsx";
import { PackageNumbers } from "./package-numbers.tsx";
import { PropertiesCard } from "./properties-card.tsx";
import { VersionsCard } from "./versions-card.tsx";
import { VignettesCard } from "./vignettes-card.tsx";

// Far down the page, with schemas that no other part of it needs.
const AssessmentCard = lazyWithRetry(() => import("./assessment-card.tsx").then((it) => it.AssessmentCard));

export function PackageScreen(): ReactNode {
  const { t } = useTranslation();
  const { technology, id } = useParams({ from: "/signed-in/packages/$technology/$id" });
  const { data: answer, error, refetch } = useQuery(packageQuery(technology, id));
  // Rendered in slices, so that slow devices stay responsive.
  const data = useDeferredValue(answer);
  useEffect(() => {
    if (data) setTitle(`${t("screen.packageDetails")} - ${data.name} ${data.version}`);
  }, [data, t]);
  if (error instanceof ApiFailure && error.status === 404) return <NotFoundScreen />;
  return (
    <div data-testid="screen-packageDetails">
      <Crumbs name={data?.name} />
      {data && <PackagePage item={data} />}
      {!data && !error && <Skeleton />}
      {!data && error && <FailedLoad {...loadFailure(error, t)} onRetry={() => void refetch()} />}
    </div>
  );
}

function Crumbs({ name }: { name: string | undefined }) {
  const { t } = useTranslation();
  return (
    <nav className={detailsStyles.crumbs} aria-label={t("package.breadcrumb")}>
      <Link to="/packages" search={listSearch(packageList)(lastSearch("/packages"))}>
        {t("nav.packages")}
      </Link>
      <span aria-hidden>›</span>
      <span className={textStyles.mono}>{name}</span>
    </nav>
  );
}

function Skeleton() {
  return (
    <div className={detailsStyles.columns} aria-busy>
      <div className={detailsStyles.stack}>
        {[0, 1, 2].map((index) => (
          <div key={index} className={cardStyles.card} style={{ minHeight: 120 }}>
            <span className={loadingStyles.skeleton} style={{ width: "40%" }} />
          </div>
        ))}
      </div>
    </div>
  );
}

function PackagePage({ item }: { item: AnyPackageItem }) {
  const { t } = useTranslation();
  // From the top of a phone's screen to the bottom.
  const step = useSteps(3, item.id);
  const { data: submission } = useQuery({
    queryKey: ["submission", item.submission.id],
    queryFn: ({ signal }) => call(readSubmission, { id: item.submission.id }, { signal }),
    meta: { shownInPlace: true },
  });
  return (
    <>
      <Head item={item} />
      <div className={detailsStyles.columns}>
        <div className={detailsStyles.stack}>
          {step > 0 && <Introduction item={item} />}
          {step > 1 && <Properties item={item} />}
          {step > 1 && submission?.changes && (
            <Card title={t("package.notes")}>
              <Description text={submission.changes} contentType="text/markdown" testId="notes" />
            </Card>
          )}
        </div>
        <div className={detailsStyles.stack}>
          {step > 1 && <FilesAndVersions item={item} />}
          {step > 2 && <SmallCards item={item} submission={submission} />}
        </div>
      </div>
      {step > 2 && <ZoneNote />}
    </>
  );
}

// The parts of the page. Each step renders its own, and none of those before.

const Head = memo(({ item }: { item: AnyPackageItem }) => (
  <>
    <PackageHead item={item} />
    <PackageNumbers item={item} />
  </>
));

const Introduction = memo(({ item }: { item: AnyPackageItem }) => {
  const { t } = useTranslation();
  return (
    <>
      <InstallCard item={item} />
      <Card title={t("package.description")}>
        <Description text={item.description} contentType={item.descriptionContentType} testId="description" />
      </Card>
    </>
  );
});

const Properties = memo(({ item }: { item: AnyPackageItem }) => {
  const { t } = useTranslation();
  return (
    <>
      <PropertiesCard item={item} />
      {item.binary && "rversion" in item && (
        <Card title={t("package.binaryProperties")}>
          <Facts
            rows={(["architecture", "distribution", "rversion"] as const).map((name) => [
              t(`package.${name}`),
              item[name],
            ])}
          />
        </Card>
      )}
      {"classifiers" in item && item.classifiers && <ClassifiersCard text={item.classifiers} />}
    </>
  );
});

const FilesAndVersions = memo(({ item }: { item: AnyPackageItem }) => (
  <>
    <VersionsCard item={item} />
    <FilesCard item={item} />
  </>
));

interface SmallCardsProps {
  item: AnyPackageItem;
  submission: SubmissionItem | undefined;
}

const SmallCards = memo(({ item, submission }: SmallCardsProps) => {
  const { t } = useTranslation();
  return (
    <>
      <VignettesCard item={item} />
      <DependentsCard item={item} />
      <Suspense>{submission && <AssessmentCard item={item} submission={submission} />}</Suspense>
      <Card title={t("package.state")}>
        <Facts
          rows={[
            [t("word.active"), <Tick key="active" on={item.active} />],
            [t("word.deleted"), <Tick key="deleted" on={item.deleted} />],
            [t("word.binary"), <Tick key="binary" on={item.binary} />],
            ...("needsCompilation" in item
              ? [[t("package.needsCompilation"), <Tick key="c" on={item.needsCompilation === "yes"} />] as const]
              : []),
          ]}
        />
      </Card>
      <Card title={t("package.people")}>
        <Facts
          rows={[
            [t("package.author"), item.author],
            [t("package.maintainer"), item.maintainer],
          ]}
        />
      </Card>
      <Card title={t("package.inProduct", { product: configuration().title })}>
        <Facts
          rows={[
            [t("package.submitter"), submission && <Person key="submitter" of={submission.submitter} />],
            [t("package.approver"), submission?.approver && <Person key="approver" of={submission.approver} />],
            [t("package.maintainer"), <Person key="maintainer" of={item.user} />],
          ]}
        />
      </Card>
    </>
  );
});

/** A name and the address for it, which a click copies. */
function Person({ of: { name, email } }: { of: UserRef }) {
  const { t } = useTranslation();
  return (
    <span className={textStyles.word}>
      {name}
      {email && (
        <IconButton
          icon={IconMail}
          label={`${t("action.copy")} ${email}`}
          hint={email}
          onPress={() => void copyText(email)}
        />
      )}
    </span>
  );
}
