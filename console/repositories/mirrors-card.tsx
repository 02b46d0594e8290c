import { type Mirror, mirrors } from "@packhouse/contract/mirrors";
import { type RepositoryItem, synchronizationStatus } from "@packhouse/contract/repositories";
import { IconAlertCircle, IconCircleCheck, IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { api } from "../api/client.ts";
import { ifOffered } from "../api/missing-routes.ts";
import { formatDateTime, formatNumber } from "../language/i18n.ts";
import { ActionButton } from "../ui/action-button.tsx";
import { Card, Mark } from "../ui/card.tsx";
import { useChange } from "../ui/use-change.ts";
import { repositoryPath } from "./repository-calls.ts";

const pollMs = 2000;

/**
 * From where the packages of a repository are brought, how that went, and the way to start it. Nothing for a repository
 * without mirrors; a server that does not tell which there are still tells of the last run.
 */
export function MirrorsCard({ item }: { item: RepositoryItem }) {
  const { t } = useTranslation();
  const { data: status } = useQuery({
    queryKey: ["repository", item.technology, item.id, "synchronization"],
    queryFn: ({ signal }) => api.get(`${repositoryPath(item)}/synchronization-status`, synchronizationStatus, signal),
    retry: false,
    refetchInterval: ({ state }) => (state.data?.pending ? pollMs : false),
    meta: { shownInPlace: true },
  });
  const pending = status?.pending ?? false;
  const { data } = useQuery({
    // What is shown of a run is asked for again when it has ended.
    queryKey: ["repository", item.technology, item.id, "mirrors", pending],
    queryFn: ({ signal }) =>
      ifOffered("/repositories/:id/mirrors", () => api.get(`/repositories/${item.id}/mirrors`, mirrors, signal)),
    retry: false,
    refetchInterval: pending ? pollMs : false,
    placeholderData: (before) => before,
    meta: { shownInPlace: true },
  });
  const { busy, change } = useChange(() => api.post(`${repositoryPath(item)}/synchronize-mirrors`, z.unknown()), {
    success: t("repository.synchronizationStarted"),
    affects: [["repository"]],
  });
  const found = data?.mirrors ?? [];
  if (!status && found.length === 0) return null;
  return (
    <Card
      title={t("repository.mirrors")}
      testId="card-mirrors"
      end={
        <ActionButton
          icon={IconRefresh}
          blocked={busy || pending ? t("reason.pending") : undefined}
          testId={`synchronize-${item.id}`}
          onPress={change}
        >
          {t("repository.synchronize")}
        </ActionButton>
      }
    >
      {status && <LastRun status={status} />}
      <ul className="ph-mirrors">
        {found.map((mirror) => (
          <MirrorLine key={mirror.name} mirror={mirror} />
        ))}
      </ul>
    </Card>
  );
}

function LastRun({ status }: { status: z.infer<typeof synchronizationStatus> }) {
  const { t } = useTranslation();
  const failed = status.error.present && !status.error.empty;
  const mark = status.pending ? (
    <Mark icon={<IconRefresh size={18} className="ph-spin" aria-hidden />} word={t("word.synchronizing")} />
  ) : failed ? (
    <Mark icon={<IconAlertCircle size={18} className="ph-bad" aria-hidden />} word={t("word.failed")} />
  ) : (
    <Mark icon={<IconCircleCheck size={18} className="ph-good" aria-hidden />} word={t("repository.synchronized")} />
  );
  return (
    <p className="ph-word">
      {mark}
      <span className="ph-muted">{formatDateTime(new Date(status.timestamp).toISOString())}</span>
    </p>
  );
}

function MirrorLine({ mirror: { name, uri, schedule, packages, lastRun } }: { mirror: Mirror }) {
  const { t } = useTranslation();
  const count = packages?.length ?? 0;
  const wanted = packages
    ? t("repository.mirrorWishes", { count, formatted: formatNumber(count) })
    : t("repository.mirrorEverything");
  return (
    <li data-testid={`mirror-${name}`}>
      <strong>{name}</strong> <span className="ph-mono">{uri}</span>
      <div className="ph-muted">
        {wanted} · {schedule ? <code>{schedule}</code> : t("repository.mirrorByHand")}
      </div>
      {lastRun && (
        <div className="ph-muted">
          <time dateTime={lastRun.startedOn}>{formatDateTime(lastRun.startedOn)}</time> ·{" "}
          {t("repository.mirrorStored", { count: lastRun.stored, formatted: formatNumber(lastRun.stored) })}
        </div>
      )}
      {lastRun && lastRun.errors.length > 0 && <MirrorErrors errors={lastRun.errors} />}
    </li>
  );
}

function MirrorErrors({ errors }: { errors: readonly string[] }) {
  const { t } = useTranslation();
  return (
    <details className="ph-mirror-errors">
      <summary>
        <IconAlertCircle size={16} className="ph-bad" aria-hidden />{" "}
        {t("repository.mirrorErrors", { count: errors.length, formatted: formatNumber(errors.length) })}
      </summary>
      <ul>
        {[...new Set(errors)].map((error) => (
          <li key={error}>{error}</li>
        ))}
      </ul>
    </details>
  );
}
