import { listMirrors, repositoryOf } from "@packhouse/contract/operations/repositories";
import "./texts.ts";
import { type Mirror, type MirrorClash, type MirrorSkip, mostReported } from "@packhouse/contract/mirrors";
import type { RepositoryItem, synchronizationStatus } from "@packhouse/contract/repositories";
import { IconAlertCircle, IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { z } from "zod";
import { call } from "../../api/client.ts";
import { ifOffered } from "../../api/missing-routes.ts";
import { useChange } from "../../calls/use-change.ts";
import { formatDateTime, formatNumber } from "../../language/i18n.ts";
import { ActionButton } from "../../ui/action-button.tsx";
import { Card, Mark } from "../../ui/display/card.tsx";
import loadingStyles from "../../ui/styles/loading.module.css";
import textStyles from "../../ui/styles/text.module.css";
import styles from "./mirrors-card.module.css";

const pollMs = 2000;

/**
 * The mirrors of a repository, their last run, and a button to start one. Empty for a repository
 * without mirrors; a server that does not list mirrors still reports the last run.
 */
export function MirrorsCard({ item }: { item: RepositoryItem }) {
  const { t } = useTranslation();
  const { data: status } = useQuery({
    queryKey: ["repository", item.technology, item.id, "synchronization"],
    queryFn: ({ signal }) => call(repositoryOf[item.technology].readSynchronization, { id: item.id }, { signal }),
    retry: false,
    refetchInterval: ({ state }) => (state.data?.pending ? pollMs : false),
    meta: { shownInPlace: true },
  });
  const pending = status?.pending ?? false;
  const { data } = useQuery({
    // The results of a run are reloaded when it ends.
    queryKey: ["repository", item.technology, item.id, "mirrors", pending],
    queryFn: ({ signal }) => ifOffered(listMirrors, () => call(listMirrors, { id: item.id }, { signal })),
    retry: false,
    refetchInterval: pending ? pollMs : false,
    placeholderData: (before) => before,
    meta: { shownInPlace: true },
  });
  const { busy, change } = useChange(() => call(repositoryOf[item.technology].synchronize, { id: item.id }), {
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
      <ul className={styles.mirrors}>
        {found.map((mirror) => (
          <MirrorLine key={mirror.name} mirror={mirror} />
        ))}
      </ul>
      {(data?.reservedNames ?? []).length > 0 && (
        <p className={textStyles.muted} data-testid="reserved-names">
          {t("repository.mirrorReserved")} <span className={textStyles.mono}>{data?.reservedNames?.join(", ")}</span>
        </p>
      )}
    </Card>
  );
}

function LastRun({ status }: { status: z.infer<typeof synchronizationStatus> }) {
  const { t } = useTranslation();
  const failed = status.error.present && !status.error.empty;
  const mark = status.pending ? (
    <Mark icon={<IconRefresh size={18} className={loadingStyles.spin} aria-hidden />} word={t("word.synchronizing")} />
  ) : failed ? (
    <Mark icon={<IconAlertCircle size={18} className={textStyles.bad} aria-hidden />} word={t("word.failed")} />
  ) : (
    <Mark
      icon={<IconCircleCheck size={18} className={textStyles.good} aria-hidden />}
      word={t("repository.synchronized")}
    />
  );
  return (
    <p className={textStyles.word}>
      {mark}
      <span className={textStyles.muted}>{formatDateTime(new Date(status.timestamp).toISOString())}</span>
    </p>
  );
}

function MirrorLine({ mirror: { name, uri, schedule, packages, lastRun, sharedNames } }: { mirror: Mirror }) {
  const { t } = useTranslation();
  const count = packages?.length ?? 0;
  const clashes = lastRun?.clashes ?? [];
  const skipped = lastRun?.skipped ?? [];
  // For other clients, conflicts are also among the errors, and the last line counts what is beyond the list.
  const errors = (lastRun?.errors ?? [])
    .filter((error) => !clashes.some(({ text }) => text === error))
    .slice(0, lastRun?.counts ? Math.min(lastRun.counts.errors, mostReported) : undefined);
  const counts = lastRun?.counts ?? { clashes: clashes.length, errors: errors.length, skipped: skipped.length };
  const wanted = packages
    ? t("repository.mirrorPatterns", { count, formatted: formatNumber(count) })
    : t("repository.mirrorEverything");
  return (
    <li data-testid={`mirror-${name}`}>
      <strong>{name}</strong> <span className={textStyles.mono}>{uri}</span>
      <div className={textStyles.muted}>
        {wanted} · {schedule ? <code>{schedule}</code> : t("repository.mirrorOnRequest")}
      </div>
      {lastRun && (
        <div className={textStyles.muted}>
          <time dateTime={lastRun.startedOn}>{formatDateTime(lastRun.startedOn)}</time> ·{" "}
          {t("repository.mirrorStored", { count: lastRun.stored, formatted: formatNumber(lastRun.stored) })}
        </div>
      )}
      {sharedNames && <div className={textStyles.muted}>{t("repository.mirrorSharedNames")}</div>}
      {clashes.length > 0 && (
        <Remarks
          tone="warn"
          title={t("repository.mirrorClashes", { count: counts.clashes, formatted: formatNumber(counts.clashes) })}
          count={counts.clashes}
          lines={clashes.map((clash) => clashText(clash, t))}
        />
      )}
      {errors.length > 0 && (
        <Remarks
          tone="bad"
          title={t("repository.mirrorErrors", { count: counts.errors, formatted: formatNumber(counts.errors) })}
          count={counts.errors}
          lines={errors}
        />
      )}
      {skipped.length > 0 && (
        <Remarks
          tone="muted"
          title={t("repository.mirrorSkipped", { count: counts.skipped, formatted: formatNumber(counts.skipped) })}
          count={counts.skipped}
          lines={skipped.map((skip) => skipText(skip, t))}
        />
      )}
    </li>
  );
}

const clashTexts = {
  uploaded: "mirrorClash.uploaded",
  "name.uploaded": "mirrorClash.nameUploaded",
  "other.mirror": "mirrorClash.otherMirror",
  reserved: "mirrorClash.reserved",
  "name.differs.only.in.case": "mirrorClash.nameDiffersOnlyInCase",
  "name.confusable": "mirrorClash.nameConfusable",
} as const;

function clashText({ name, version, reason, with: other, taken }: MirrorClash, t: TFunction): string {
  const text = t(clashTexts[reason], { name, version, with: other });
  return taken ? `${text} (${t("mirrorClash.taken")})` : text;
}

const skipTexts = {
  "unsupported.format": "mirrorSkip.unsupportedFormat",
  "no.supported.file": "mirrorSkip.noSupportedFile",
  "no.final.release": "mirrorSkip.noFinalRelease",
} as const;

const skipText = ({ name, fileName, reason }: MirrorSkip, t: TFunction): string =>
  `${fileName || name}: ${t(skipTexts[reason])}`;

const tones = {
  bad: [IconAlertCircle, textStyles.bad],
  warn: [IconAlertTriangle, textStyles.warn],
  muted: [IconInfoCircle, textStyles.muted],
} as const;

interface RemarksProps {
  tone: keyof typeof tones;
  title: string;
  /** How many there are, also beyond the lines. */
  count: number;
  lines: readonly string[];
}

/** The details of a run; collapsed, because there may be many. */
function Remarks({ tone, title, count, lines }: RemarksProps) {
  const { t } = useTranslation();
  const [Icon, className] = tones[tone];
  return (
    <details className={styles.errors}>
      <summary>
        <Icon size={16} className={className} aria-hidden /> {title}
      </summary>
      <ul>
        {[...new Set(lines)].map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {count > lines.length && (
        <p className={textStyles.muted}>
          {t("repository.mirrorShown", { shown: formatNumber(lines.length), count: formatNumber(count) })}
        </p>
      )}
    </details>
  );
}
