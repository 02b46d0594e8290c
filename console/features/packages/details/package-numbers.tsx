import { eventList } from "@packhouse/contract/events";
import { IconArrowRight, IconWorldCheck, IconWorldOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { api, type ListRequest } from "../../../api/client.ts";
import { formatNumber } from "../../../language/i18n.ts";
import { CopyButton } from "../../../ui/copy/copy-button.tsx";
import { formatRelative } from "../../../ui/display/relative-time.ts";
import buttonStyles from "../../../ui/styles/button.module.css";
import numbersStyles from "../../../ui/styles/numbers.module.css";
import textStyles from "../../../ui/styles/text.module.css";
import type { AnyPackageItem } from "../package-calls.ts";
import { DownloadsNumber } from "./downloads-number.tsx";

/** The package's repository, license, maintainer, usage and history. */
export function PackageNumbers({ item }: { item: AnyPackageItem }) {
  const { t } = useTranslation();
  const { repository } = item;
  const ofPackage = { packageName: item.name, repositoryName: repository.name } satisfies ListRequest<typeof eventList>;
  const { data } = useQuery({
    queryKey: ["list", eventList.path, "of-package", ofPackage],
    queryFn: ({ signal }) => api.list(eventList, { ...ofPackage, size: "1" }, signal),
    meta: { shownInPlace: true },
  });
  const Published = repository.published ? IconWorldCheck : IconWorldOff;
  const published = repository.published ? t("word.published") : t("word.notPublished");
  const last = data?.content[0];
  return (
    <dl className={numbersStyles.numbers}>
      <div className={numbersStyles.wide} data-testid="card-repository">
        <dt>{t("column.repository")}</dt>
        <dd className={numbersStyles.line}>
          <Link
            to="/repositories/$technology/$id"
            params={{ technology: repository.technology, id: repository.id }}
            className={`${textStyles.mono} ${textStyles.link} ${textStyles.anywhere}`}
          >
            {repository.name}
          </Link>
          <span role="img" aria-label={published} title={published} className={textStyles.word}>
            <Published size={16} stroke={1.9} className={repository.published ? textStyles.good : textStyles.muted} />
          </span>
          <CopyButton text={repository.publicationUri} label={`${t("action.copy")} ${repository.publicationUri}`} />
          <Link
            to="/repositories"
            // Unpublished repositories are hidden in the list unless the address includes them.
            search={{ search: repository.name, published: "any" }}
            className={`${buttonStyles.iconButton} ${numbersStyles.end}`}
            aria-label={t("package.seeRepository")}
            title={t("package.seeRepository")}
          >
            <IconArrowRight size={18} stroke={1.75} aria-hidden />
          </Link>
        </dd>
      </div>
      <div data-testid="card-license">
        <dt>{t("package.license")}</dt>
        <dd>{item.license || <span className={textStyles.muted}>{t("package.notProvided")}</span>}</dd>
      </div>
      <div>
        <dt>{t("column.maintainer")}</dt>
        <dd>{item.user.name}</dd>
      </div>
      {item.downloads && <DownloadsNumber of={item.downloads} />}
      <div data-testid="card-events">
        <dt>{t("package.events")}</dt>
        <dd className={numbersStyles.line}>
          {data && formatNumber(data.page.totalElements)}
          {last && <span className={`${textStyles.muted} ${textStyles.small}`}>{formatRelative(last.time)}</span>}
          <Link
            to="/events"
            search={ofPackage}
            className={`${buttonStyles.iconButton} ${numbersStyles.end}`}
            aria-label={t("package.seeEvents")}
            title={t("package.seeEvents")}
          >
            <IconArrowRight size={18} stroke={1.75} aria-hidden />
          </Link>
        </dd>
      </div>
    </dl>
  );
}
