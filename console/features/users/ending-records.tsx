import "./texts.ts";
import "@mantine/core/styles/Alert.layer.css";
import { Alert } from "@mantine/core";
import { largestPageSize } from "@packhouse/contract/list-contract";
import { packageMaintainerList, repositoryMaintainerList } from "@packhouse/contract/maintainers";
import type { UserItem } from "@packhouse/contract/users";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api } from "../../api/client.ts";
import { formatNumber } from "../../language/i18n.ts";
import loadingStyles from "../../ui/styles/loading.module.css";

const mostNamed = 10;

/** What a user maintains by their role: packages by name, or repositories. Other roles have no records. */
async function recordsOf({ id, name, role }: UserItem, signal: AbortSignal) {
  const query = new URLSearchParams({ search: name, deleted: "false", size: String(largestPageSize) }).toString();
  if (role === "packagemaintainer") {
    const { content } = await api.list(packageMaintainerList, query, signal);
    return content
      .filter(({ user }) => user.id === id)
      .map((it) => ({ id: it.id, name: `${it.packageName} · ${it.repository.name}` }));
  }
  const { content } = await api.list(repositoryMaintainerList, query, signal);
  return content.filter(({ user }) => user.id === id).map((it) => ({ id: it.id, name: it.repository.name }));
}

const texts = {
  packagemaintainer: "endingRecords.packages",
  repositorymaintainer: "endingRecords.repositories",
} as const;
const hasRecords = (role: string): role is keyof typeof texts => Object.hasOwn(texts, role);

/** How many and which records of a user end when the role changes: also on a promotion. */
export function EndingRecords({ item }: { item: UserItem }) {
  const { t } = useTranslation();
  const { data: records, error } = useQuery({
    queryKey: ["list", "records of", item.id, item.role],
    queryFn: ({ signal }) => recordsOf(item, signal),
    enabled: hasRecords(item.role),
    meta: { shownInPlace: true },
  });
  if (!hasRecords(item.role)) return null;
  const { name } = item;
  if (error) return <Alert>{t("user.losesRole", { name })}</Alert>;
  if (!records) return <span className={loadingStyles.skeleton} />;
  if (records.length === 0) return <Alert>{t("endingRecords.none", { name })}</Alert>;
  const more = records.length - mostNamed;
  return (
    <Alert data-testid="ending-records">
      {t(texts[item.role], { name, count: records.length, formatted: formatNumber(records.length) })}
      <ul style={{ margin: "4px 0", paddingLeft: 20 }}>
        {records.slice(0, mostNamed).map((record) => (
          <li key={record.id}>{record.name}</li>
        ))}
        {more > 0 && <li>{t("endingRecords.more", { formatted: formatNumber(more) })}</li>}
      </ul>
    </Alert>
  );
}
