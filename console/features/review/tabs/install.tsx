import { readSubmission } from "@packhouse/contract/operations/submissions";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { call } from "../../../api/client.ts";
import { loadFailure } from "../../../api/load-failure.ts";
import { technologies } from "../../../technologies/technologies.ts";
import { copyText } from "../../../ui/copy/copy-text.ts";
import { CopyableCode } from "../../../ui/copy/copyable-code.tsx";
import { safeAddress, withCredentials } from "../../../ui/copy/quoted.ts";
import { FailedLoad } from "../../../ui/display/failed-load.tsx";
import { useKeys } from "../../../ui/shortcuts.ts";
import textStyles from "../../../ui/styles/text.module.css";
import type { ReleaseReview } from "../data/queries.ts";
import { Section } from "../parts/section.tsx";

/** How each client installs the release before it is accepted. */
export function Install({ review: { release, state }, id }: { review: ReleaseReview; id: number }) {
  const { t } = useTranslation();
  const waiting = state === "WAITING";
  const { data, error, refetch } = useQuery({
    queryKey: ["submission", id],
    queryFn: ({ signal }) => call(readSubmission, { id }, { signal }),
    enabled: waiting,
    meta: { shownInPlace: true },
  });
  const repository = data?.packageBag.repository;
  const address = repository && `${safeAddress(repository.publicationUri).replace(/\/$/, "")}/@submission-${id}/`;
  const snippets =
    waiting && data && address
      ? technologies[release.technology].installSnippets(data.packageBag, withCredentials(address))
      : [];
  const first = snippets[0];
  useKeys((key) => {
    if (key !== "y" || !first) return false;
    void copyText(first.command);
    return true;
  });
  return (
    <Section title={t("review.preview")}>
      <p>{t(waiting ? "review.previewHint" : "review.previewOver")}</p>
      {error && !data && <FailedLoad {...loadFailure(error, t)} onRetry={() => void refetch()} />}
      {snippets.map(({ client, command }) => (
        <div key={client}>
          <h4 className={textStyles.mono}>{client}</h4>
          <CopyableCode text={command} testId={`preview-${client}`} />
        </div>
      ))}
      {first && (
        <p className={textStyles.muted}>
          <kbd className={textStyles.key}>y</kbd> {t("review.copyFirst")}
        </p>
      )}
    </Section>
  );
}
