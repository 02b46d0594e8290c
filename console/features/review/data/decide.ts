import type { Received } from "@packhouse/contract/answer";
import { decideOnRelease } from "@packhouse/contract/operations/review";
import type { releaseDecision } from "@packhouse/contract/review/conversation";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import i18next from "i18next";
import { useTranslation } from "react-i18next";
import { call, submissionAuthorization } from "../../../api/client.ts";
import { delayAction } from "../../../calls/delayed-action.ts";
import { reportFailure } from "../../../calls/report-failure.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { nameOf, type Release } from "./queries.ts";

export type DeskDecision = Received<typeof releaseDecision>["decision"];

export const delayKey = (release: Pick<Release, "id">): string => `review/${release.id}`;

/** Decides on the files that the user has seen: one that joined the release since keeps waiting. */
export const send = (
  { id, files }: Pick<Release, "id" | "files">,
  decision: DeskDecision,
  reason: string,
  leaving = false,
) =>
  call(
    decideOnRelease,
    { id, body: { decision, files: files.map((file) => file.submissionId), ...(reason === "" ? {} : { reason }) } },
    { keepalive: leaving, sign: submissionAuthorization },
  );

export const reload = (queries: QueryClient): Promise<unknown> =>
  Promise.all([["list"], ["review"]].map((queryKey) => queries.invalidateQueries({ queryKey })));

/** Decides after a few seconds, in which it can be undone. */
export function useDelayedDecision(): (release: Release, decision: DeskDecision, reason: string) => void {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return (release, decision, reason) =>
    delayAction({
      key: delayKey(release),
      label: t(`review.running.${decision}`),
      send: async (leaving) => {
        try {
          await send(release, decision, reason, leaving);
          toast.success(i18next.t(`review.done.${decision}`, { name: nameOf(release) }));
        } catch (error) {
          reportFailure(error);
        } finally {
          await reload(queries);
        }
      },
    });
}
