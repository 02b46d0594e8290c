import type { Received } from "@packhouse/contract/answer";
import { decideOnRelease, readReview } from "@packhouse/contract/operations/review";
import type { releaseDecision } from "@packhouse/contract/review/conversation";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import i18next from "i18next";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { call, submissionAuthorization } from "../../../api/client.ts";
import { ApiFailure } from "../../../api/failure.ts";
import { delayAction, useDelayedActions } from "../../../calls/delayed-action.ts";
import { reportFailure } from "../../../calls/report-failure.tsx";
import { formatRelative } from "../../../ui/display/relative-time.ts";
import { toast } from "../../../ui/toasts.tsx";
import { nameOf, type Release, type ReleaseReview } from "./queries.ts";

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

type Decided = Pick<ReleaseReview, "decisions" | "release">;

/** Who decided last, and what; undefined if nobody has. */
export function lastDecision({ decisions: [last], release }: Decided): string | undefined {
  if (!last) return undefined;
  const names = { user: last.user.name, name: nameOf(release), when: formatRelative(last.time) };
  return i18next.t(`review.decided.${last.decision}`, names);
}

/** Reports why a decision was not taken. If another user was faster, that is who, and what they decided. */
export async function reportUndecided(release: Pick<Release, "id">, error: unknown): Promise<void> {
  const review =
    error instanceof ApiFailure && error.status === 422
      ? await call(readReview, { id: release.id, query: { findings: "false" } }).catch(() => undefined)
      : undefined;
  const decided = review && review.state !== "WAITING" ? lastDecision(review) : undefined;
  if (decided) toast.warning(i18next.t("review.tooLate", { decided }));
  else reportFailure(error);
}

export const reload = (queries: QueryClient): Promise<unknown> =>
  Promise.all([["list"], ["review"]].map((queryKey) => queries.invalidateQueries({ queryKey })));

/** Decisions on their way to the server, by release: until they are there, none may be taken again. */
let sending: ReadonlyMap<string, string> = new Map();
const listeners = new Set<() => void>();
function setSending(key: string, label: string | undefined): void {
  const next = new Map(sending);
  if (label === undefined) next.delete(key);
  else next.set(key, label);
  sending = next;
  for (const listener of listeners) listener();
}

/** What is about to happen to the release by the user's decision; it can be taken back as long as it is `delayed`. */
export function useOwnDecision(release: Pick<Release, "id"> | undefined): { label?: string; delayed: boolean } {
  const key = release ? delayKey(release) : "";
  const delayed = useDelayedActions().get(key);
  const sent = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => sending.get(key),
  );
  const label = delayed ?? sent;
  return { ...(label === undefined ? {} : { label }), delayed: delayed !== undefined };
}

/** Decides after a few seconds, in which it can be undone. */
export function useDelayedDecision(): (release: Release, decision: DeskDecision, reason: string) => void {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return (release, decision, reason) => {
    const key = delayKey(release);
    const label = t(`review.running.${decision}`);
    delayAction({
      key,
      label,
      send: async (leaving) => {
        setSending(key, label);
        try {
          await send(release, decision, reason, leaving);
          toast.success(i18next.t(`review.done.${decision}`, { name: nameOf(release) }));
        } catch (error) {
          await reportUndecided(release, error);
        } finally {
          await reload(queries);
          setSending(key, undefined);
        }
      },
    });
  };
}
