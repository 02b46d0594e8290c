import { seesDeleted } from "@packhouse/contract/abilities";
import type { AnyRepositoryItem } from "@packhouse/contract/repositories";
import { submissionList } from "@packhouse/contract/submissions";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { api, type ListRequest } from "../../api/client.ts";
import { formatDateTime } from "../../language/i18n.ts";
import { useOwnUser } from "../../session/use-session.ts";
import { Card } from "../../ui/display/card.tsx";
import nameCellStyles from "../../ui/display/name-cell.module.css";
import { TechnologyTile } from "../../ui/display/technology-tile.tsx";
import linesStyles from "../../ui/styles/lines.module.css";
import loadingStyles from "../../ui/styles/loading.module.css";
import textStyles from "../../ui/styles/text.module.css";
import { itsPackages } from "./its-packages.ts";

/** The newest versions that were accepted for the repository. */
export function RecentlyAccepted({ item }: { item: AnyRepositoryItem }) {
  const { t } = useTranslation();
  const user = useOwnUser();
  const query: ListRequest<typeof submissionList> = {
    repository: item.name,
    state: "ACCEPTED",
    size: "6",
    sort: "created,desc",
  };
  const { data } = useQuery({
    queryKey: ["list", submissionList.path, "recent", query],
    queryFn: ({ signal }) => api.list(submissionList, query, signal),
    meta: { shownInPlace: true },
  });
  return (
    <Card
      title={t("repository.recentlyAccepted")}
      end={
        <Link
          {...itsPackages(item)}
          className={textStyles.link}
          aria-label={`${t("repository.all")}: ${t("repository.recentlyAccepted")}`}
        >
          {t("repository.all")}
        </Link>
      }
      testId="card-accepted"
    >
      {!data && <span className={loadingStyles.skeleton} />}
      {data?.content.length === 0 && <span className={textStyles.muted}>{t("repository.nothingAccepted")}</span>}
      <ul className={linesStyles.lines}>
        {data?.content.map(({ id, packageBag, submitter, created }) => (
          <li key={id}>
            <TechnologyTile technology={packageBag.technology} hollow={!packageBag.active} />
            <span className={linesStyles.text}>
              {packageBag.deleted && !seesDeleted(user.role) ? (
                <Version of={packageBag} />
              ) : (
                <Link
                  to="/packages/$technology/$id"
                  params={{ technology: packageBag.technology, id: packageBag.id }}
                  className={textStyles.plainLink}
                >
                  <Version of={packageBag} />
                </Link>
              )}
            </span>
            <span className={textStyles.muted}>{submitter.name}</span>
            <span className={`${textStyles.muted} ${linesStyles.date}`}>{formatDateTime(created).slice(0, 10)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const Version = ({ of: { name, version } }: { of: { name: string; version: string } }) => (
  <>
    <span className={nameCellStyles.text}>{name}</span> <span className={nameCellStyles.version}>v.{version}</span>
  </>
);
