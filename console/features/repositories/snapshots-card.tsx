import "./texts.ts";
import { listSnapshots } from "@packhouse/contract/operations/repositories";
import type { RepositoryItem } from "@packhouse/contract/repositories";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "../../api/client.ts";
import { ifOffered } from "../../api/missing-routes.ts";
import { formatDateTime } from "../../language/i18n.ts";
import { CopyButton } from "../../ui/copy/copy-button.tsx";
import { Card } from "../../ui/display/card.tsx";
import buttonStyles from "../../ui/styles/button.module.css";
import linesStyles from "../../ui/styles/lines.module.css";
import textStyles from "../../ui/styles/text.module.css";
import { snapshotLine } from "./client-settings.ts";

const shownAtFirst = 5;

/** Past states of the repository that can still be installed from; empty if the server keeps none. */
export function SnapshotsCard({ item }: { item: RepositoryItem }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const { data } = useQuery({
    queryKey: ["list", "snapshots-of", item.id],
    queryFn: ({ signal }) => ifOffered(listSnapshots, () => call(listSnapshots, { id: item.id }, { signal })),
    retry: false,
    meta: { shownInPlace: true },
  });
  const found = data?.snapshots ?? [];
  if (found.length === 0) return null;
  const more = !all && found.length > shownAtFirst && (
    <button
      type="button"
      className={`${buttonStyles.linkButton} ${textStyles.link}`}
      onClick={() => setAll(true)}
      aria-label={`${t("repository.all")}: ${t("repository.snapshots")}`}
      data-testid="snapshots-all"
    >
      {t("repository.all")}
    </button>
  );
  return (
    <Card title={t("repository.snapshots")} end={more} testId="card-snapshots">
      <p className={textStyles.muted}>{t("repository.snapshotsHelp")}</p>
      <ul className={linesStyles.lines}>
        {found.slice(0, all ? undefined : shownAtFirst).map(({ serial, renderedOn }) => (
          <li key={serial} data-testid={`snapshot-${serial}`}>
            <span className={textStyles.mono}>@{serial}</span>
            <time className={linesStyles.text} dateTime={renderedOn}>
              {formatDateTime(renderedOn)}
            </time>
            <CopyButton
              text={snapshotLine(item, serial)}
              label={t("repository.snapshotCopy", { serial })}
              testId={`snapshot-copy-${serial}`}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}
