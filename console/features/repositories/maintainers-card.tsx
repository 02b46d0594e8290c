import "./texts.ts";
import { can } from "@packhouse/contract/abilities";
import { packageMaintainerList, repositoryMaintainerList } from "@packhouse/contract/maintainers";
import type { UserRef } from "@packhouse/contract/references";
import type { RepositoryItem } from "@packhouse/contract/repositories";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { api } from "../../api/client.ts";
import { formatNumber } from "../../language/i18n.ts";
import { useOwnUser } from "../../session/use-session.ts";
import { Avatar } from "../../ui/display/avatar.tsx";
import { Card } from "../../ui/display/card.tsx";
import linesStyles from "../../ui/styles/lines.module.css";
import loadingStyles from "../../ui/styles/loading.module.css";
import textStyles from "../../ui/styles/text.module.css";

/** The maintainers of the repository and of packages in it. Only administrators may list repository maintainers. */
export function MaintainersCard({ item }: { item: RepositoryItem }) {
  const { t } = useTranslation();
  const { role } = useOwnUser();
  const seesRepositoryMaintainers = can(role, "GET repositoryMaintainers");
  const { data } = useQuery({
    queryKey: ["list", "maintainers-of", item.name, seesRepositoryMaintainers],
    meta: { shownInPlace: true },
    queryFn: async ({ signal }) => {
      const [whole, ofPackages] = await Promise.all([
        seesRepositoryMaintainers
          ? api.list(repositoryMaintainerList, { search: item.name, deleted: "false", size: "100" }, signal)
          : undefined,
        api.list(packageMaintainerList, { repository: item.name, deleted: "false", size: "100" }, signal),
      ]);
      return {
        whole: (whole?.content ?? []).filter(({ repository }) => repository.id === item.id).map(({ user }) => user),
        ofPackages: counted(ofPackages.content.map(({ user }) => user)),
      };
    },
  });
  return (
    <Card
      title={t("repository.maintainers")}
      testId="card-maintainers"
      end={
        <Link
          to="/package-maintainers"
          search={{ repository: item.name }}
          className={textStyles.link}
          aria-label={`${t("repository.manage")}: ${t("repository.maintainers")}`}
        >
          {t("repository.manage")}
        </Link>
      }
    >
      {!data && <span className={loadingStyles.skeleton} />}
      {data && data.whole.length + data.ofPackages.length === 0 && (
        <span className={textStyles.muted}>{t("repository.noMaintainers")}</span>
      )}
      <ul className={linesStyles.lines}>
        {data?.whole.map((user) => (
          <li key={`whole ${user.id}`}>
            <Avatar name={user.name} />
            <span className={linesStyles.text}>{user.name}</span>
            <span className={textStyles.muted}>{t("repository.wholeRepository")}</span>
          </li>
        ))}
        {data?.ofPackages.map(({ user, count }) => (
          <li key={`packages ${user.id}`}>
            <Avatar name={user.name} />
            <span className={linesStyles.text}>{user.name}</span>
            <span className={textStyles.muted}>
              {t("repository.packagesOf", { count, formatted: formatNumber(count) })}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function counted(users: readonly UserRef[]): { user: UserRef; count: number }[] {
  const groups = Map.groupBy(users, ({ id }) => id);
  return [...groups.values()].flatMap(([user, ...more]) => (user ? [{ user, count: 1 + more.length }] : []));
}
