import "./texts.ts";
import { can } from "@packhouse/contract/abilities";
import { type AnyRepositoryItem, repositoryList } from "@packhouse/contract/repositories";
import { submissionList } from "@packhouse/contract/submissions";
import {
  IconAlertCircle,
  IconLock,
  IconPencil,
  IconRefresh,
  IconRotate,
  IconTrash,
  IconWorldCheck,
  IconWorldOff,
  IconWorldUp,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, type ListRequest } from "../../api/client.ts";
import { ApiFailure } from "../../api/failure.ts";
import { loadFailure } from "../../api/load-failure.ts";
import { useDelayedActions } from "../../calls/delayed-action.ts";
import { DelayedNote } from "../../calls/delayed-note.tsx";
import { useChange } from "../../calls/use-change.ts";
import { RecentEvents } from "../../event-summary/recent-events.tsx";
import { formatDateTime, formatNumber } from "../../language/i18n.ts";
import { NotFoundScreen } from "../../layout/not-found-screen.tsx";
import { listSearch } from "../../list/list-address.ts";
import { lastSearch } from "../../session/last-searches.ts";
import { useOwnUser, useServerConfiguration } from "../../session/use-session.ts";
import { technologies } from "../../technologies/technologies.ts";
import { ActionButton } from "../../ui/action-button.tsx";
import { CopyButton } from "../../ui/copy/copy-button.tsx";
import { CopyableCode } from "../../ui/copy/copyable-code.tsx";
import cardStyles from "../../ui/display/card.module.css";
import { Card, Mark } from "../../ui/display/card.tsx";
import { FailedLoad } from "../../ui/display/failed-load.tsx";
import { TechnologyTile } from "../../ui/display/technology-tile.tsx";
import { ZoneNote } from "../../ui/display/zone-note.tsx";
import { setTitle } from "../../ui/document-title.ts";
import chipStyles from "../../ui/styles/chip.module.css";
import detailsStyles from "../../ui/styles/details.module.css";
import loadingStyles from "../../ui/styles/loading.module.css";
import noteStyles from "../../ui/styles/note.module.css";
import numbersStyles from "../../ui/styles/numbers.module.css";
import textStyles from "../../ui/styles/text.module.css";
import { clientSettings } from "./client-settings.ts";
import { itsPackages } from "./its-packages.ts";
import { MaintainersCard } from "./maintainers-card.tsx";
import { MirrorsCard } from "./mirrors-card.tsx";
import { RecentlyAccepted } from "./recently-accepted.tsx";
import { readRepository, setPublished } from "./repository-calls.ts";
import { DeleteRepository, RepublishDialog, repositoryRowKey } from "./repository-dialogs.tsx";
import { EditRepository } from "./repository-form.tsx";
import { maySynchronize, whyNotDelete, whyNotEdit, whyNotPublish, whyNotRepublish } from "./repository-obstacles.ts";
import styles from "./repository-screen.module.css";
import { SettingsCard } from "./settings-card.tsx";
import { SnapshotsCard } from "./snapshots-card.tsx";

const pollMs = 2000;

/** Everything about one repository at one address. */
export function RepositoryScreen(): ReactNode {
  const { t } = useTranslation();
  const { technology, id } = useParams({ from: "/signed-in/repositories/$technology/$id" });
  const { data, error, refetch } = useQuery({
    queryKey: ["repository", technology, id],
    queryFn: ({ signal }) => readRepository({ technology, id }, signal),
    refetchInterval: ({ state }) => (state.data?.synchronizing ? pollMs : false),
    meta: { shownInPlace: true },
  });
  useEffect(() => {
    if (data) setTitle(`${t("screen.repositoryDetails")} - ${data.name}`);
  }, [data, t]);
  if (error instanceof ApiFailure && error.status === 404) return <NotFoundScreen />;
  return (
    <div data-testid="screen-repositoryDetails">
      <nav className={detailsStyles.crumbs} aria-label={t("package.breadcrumb")}>
        <Link to="/repositories" search={listSearch(repositoryList)(lastSearch("/repositories"))}>
          {t("nav.repositories")}
        </Link>
        <span aria-hidden>›</span>
        <span className={textStyles.mono}>{data?.name}</span>
      </nav>
      {data && <RepositoryPage item={data} />}
      {data && <ZoneNote />}
      {!data && !error && (
        <div className={cardStyles.card} aria-busy style={{ minHeight: 240 }}>
          <span className={loadingStyles.skeleton} style={{ width: "40%" }} />
        </div>
      )}
      {!data && error && <FailedLoad {...loadFailure(error, t)} onRetry={() => void refetch()} />}
    </div>
  );
}

function RepositoryPage({ item }: { item: AnyRepositoryItem }) {
  const { t } = useTranslation();
  const user = useOwnUser();
  const failed = item.published && item.lastPublicationTimestamp !== "" && !item.lastPublicationSuccessful;
  return (
    <>
      <Head item={item} />
      {failed && (
        <p className={noteStyles.note} data-tone="red" role="alert">
          <IconAlertCircle size={18} aria-hidden /> {t("repository.publicationFailed")}
        </p>
      )}
      <Numbers item={item} />
      <div className={detailsStyles.columns}>
        <div className={detailsStyles.stack}>
          <Card
            title={t("repository.publicationHistory")}
            end={<EventsOf item={item} of={t("repository.publicationHistory")} resourceType="repository" />}
            testId="card-publication"
          >
            <RecentEvents query={{ repositoryName: item.name, resourceType: "repository", size: "5" }} />
          </Card>
          {maySynchronize(item, user) && <MirrorsCard item={item} />}
          <RecentlyAccepted item={item} />
          <Card
            title={t("repository.recentEvents")}
            end={<EventsOf item={item} of={t("repository.recentEvents")} />}
            testId="card-events"
          >
            <RecentEvents query={{ repositoryName: item.name, size: "8" }} />
          </Card>
        </div>
        <div className={detailsStyles.stack}>
          <SettingsCard item={item} />
          <Card title={t(technologies[item.technology].clientSettingsText)}>
            <CopyableCode text={clientSettings(item)} testId="install" />
            {item.requiresAuthentication && <p className={textStyles.muted}>{t("package.withToken")}</p>}
          </Card>
          <SnapshotsCard item={item} />
          {can(user.role, "GET packageMaintainers") && <MaintainersCard item={item} />}
        </div>
      </div>
    </>
  );
}

interface EventsOfProps {
  item: AnyRepositoryItem;
  /** The title of the card: "all" alone says nothing in a list of links. */
  of: string;
  resourceType?: "repository";
}

function EventsOf({ item, of, resourceType }: EventsOfProps) {
  const { t } = useTranslation();
  return (
    <Link
      to="/events"
      search={{ repositoryName: item.name, ...(resourceType && { resourceType }) }}
      className={textStyles.link}
      aria-label={`${t("repository.all")}: ${of}`}
    >
      {t("repository.all")}
    </Link>
  );
}

function Head({ item }: { item: AnyRepositoryItem }) {
  const { t } = useTranslation();
  const user = useOwnUser();
  const configuration = useServerConfiguration();
  const [dialog, setDialog] = useState<"edit" | "republish" | "delete">();
  const publish = (published: boolean) => () => setPublished(item, published);
  const { busy, change } = useChange(publish(!item.published), {
    success: t(item.published ? "done.unpublish" : "done.publish", { name: item.name }),
    undo: publish(item.published),
    affects: [["repository"]],
  });
  const delayed = useDelayedActions().get(repositoryRowKey(item));
  const its = { t, user, configuration };
  const pending = busy ? t("reason.pending") : undefined;
  const close = () => setDialog(undefined);
  return (
    <header className={detailsStyles.title}>
      <TechnologyTile technology={item.technology} hollow={!item.published} />
      <div className={detailsStyles.titleLines}>
        <div className={detailsStyles.titleLine}>
          <h1>{item.name}</h1>
          {item.published ? (
            <Mark
              icon={<IconWorldCheck size={18} className={textStyles.good} aria-hidden />}
              word={t("word.published")}
            />
          ) : (
            <Mark icon={<IconWorldOff size={18} aria-hidden />} word={t("word.notPublished")} />
          )}
          {item.synchronizing && (
            <Mark
              icon={<IconRefresh size={18} className={loadingStyles.spin} aria-hidden />}
              word={t("word.synchronizing")}
            />
          )}
          {item.requiresAuthentication && (
            <Mark icon={<IconLock size={18} aria-hidden />} word={t("repository.requiresAuthentication")} />
          )}
          {item.deleted && (
            <span className={chipStyles.chip} data-tone="red">
              {t("word.deleted")}
            </span>
          )}
        </div>
        <div className={`${styles.titleAddress} ${textStyles.mono} ${textStyles.muted}`}>
          <span className={textStyles.anywhere}>{item.publicationUri}</span>
          <CopyButton text={item.publicationUri} label={`${t("action.copy")} ${item.publicationUri}`} />
        </div>
      </div>
      {delayed ? (
        <DelayedNote rowKey={repositoryRowKey(item)} label={delayed} />
      ) : (
        <div className={detailsStyles.titleActions}>
          <ActionButton
            icon={item.published ? IconWorldOff : IconWorldUp}
            blocked={pending ?? whyNotPublish(item, its)}
            testId={`publish-${item.id}`}
            onPress={change}
          >
            {item.published ? t("action.unpublish") : t("action.publish")}
          </ActionButton>
          <ActionButton
            icon={IconPencil}
            blocked={whyNotEdit(item, its)}
            testId={`edit-${item.id}`}
            onPress={() => setDialog("edit")}
          >
            {t("action.edit")}
          </ActionButton>
          <ActionButton
            icon={IconRotate}
            blocked={pending ?? whyNotRepublish(item, its)}
            testId={`republish-${item.id}`}
            onPress={() => setDialog("republish")}
          >
            {t("action.republish")}
          </ActionButton>
          <ActionButton
            icon={IconTrash}
            danger
            blocked={whyNotDelete(item, its)}
            testId={`delete-${item.id}`}
            onPress={() => setDialog("delete")}
          >
            {t("action.delete")}
          </ActionButton>
        </div>
      )}
      {dialog === "edit" && <EditRepository item={item} onClose={close} />}
      {dialog === "republish" && <RepublishDialog item={item} onClose={close} />}
      {dialog === "delete" && <DeleteRepository item={item} onClose={close} />}
    </header>
  );
}

function Numbers({ item }: { item: AnyRepositoryItem }) {
  const { t } = useTranslation();
  const query: ListRequest<typeof submissionList> = { repository: item.name, state: "WAITING", size: "1" };
  const { data } = useQuery({
    queryKey: ["list", submissionList.path, "count", query],
    queryFn: ({ signal }) => api.list(submissionList, query, signal),
    select: ({ page }) => page.totalElements,
    meta: { shownInPlace: true },
  });
  return (
    <dl className={numbersStyles.numbers}>
      <div>
        <dt>{t("column.packages")}</dt>
        <dd data-testid="detail-packages">
          <Link {...itsPackages(item)} className={textStyles.link}>
            {formatNumber(item.numberOfPackages)}
          </Link>
        </dd>
      </div>
      <div>
        <dt>{t("repository.waiting")}</dt>
        <dd>
          {data === undefined ? "–" : formatNumber(data)}{" "}
          {data ? (
            <Link
              to="/submissions"
              search={{ repository: item.name, state: "WAITING" }}
              className={`${textStyles.link} ${textStyles.small}`}
            >
              {t("repository.review")}
            </Link>
          ) : null}
        </dd>
      </div>
      <div>
        <dt>{t("column.lastModified")}</dt>
        <dd data-testid="detail-lastModified">{formatDateTime(item.lastModifiedTimestamp)}</dd>
      </div>
      <div>
        <dt>{t("column.lastPublished")}</dt>
        <dd data-testid="detail-lastPublished">
          {item.lastPublicationTimestamp ? formatDateTime(item.lastPublicationTimestamp) : t("word.never")}
          {item.lastPublicationTimestamp && (
            <span
              className={
                item.lastPublicationSuccessful
                  ? `${textStyles.good} ${textStyles.small}`
                  : `${textStyles.bad} ${textStyles.small}`
              }
            >
              {" "}
              {item.lastPublicationSuccessful ? t("word.succeeded") : t("word.failed")}
            </span>
          )}
        </dd>
      </div>
    </dl>
  );
}
