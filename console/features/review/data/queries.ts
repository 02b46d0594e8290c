import type { ItemOf } from "@packhouse/contract/list-contract";
import type { ReceivedFrom } from "@packhouse/contract/operation";
import { downloadMember, readFileDifference } from "@packhouse/contract/operations/inspections";
import { readReview } from "@packhouse/contract/operations/review";
import { listReviews } from "@packhouse/contract/operations/review-list";
import { reviewList } from "@packhouse/contract/review/release";
import { keepPreviousData, queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, call, download, type ListRequest } from "../../../api/client.ts";
import { ApiFailure } from "../../../api/failure.ts";
import { ifOffered } from "../../../api/missing-routes.ts";
import type { QueueAddress } from "./address.ts";

/** A waiting release, and everything about one, as this console receives them. */
export type Release = ItemOf<typeof reviewList>;
export type ReleaseReview = ReceivedFrom<typeof readReview>;

/** Others decide, too. */
const refreshMs = 20_000;
/** The open release is what two people decide on at once. */
const liveMs = 4000;
/** What else is accepted changes what a release would break. */
const findingsMs = 60_000;
/** While a release is being inspected. */
const inspectingMs = 2000;
/** More than anyone decides on in a day; the filter finds the others. */
const mostShown = 200;

const orders = { risk: "risk,desc", created: "created,asc", name: "name,asc" } as const;

export const queueQuery = (address: QueueAddress) => {
  const { search, technology, level, repository, all, changesAsked, assignedToMe, sort = "risk" } = address;
  const given = { search, technology, level, repository, changesAsked, assignedToMe };
  const filters = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const request: ListRequest<typeof reviewList> = {
    ...filters,
    ...(all || changesAsked ? {} : { mine: "true" }),
    size: String(mostShown),
    sort: orders[sort],
  };
  return queryOptions({
    queryKey: ["list", "/reviews", request],
    // Another server with the same API may not have a desk.
    queryFn: ({ signal }) => ifOffered(listReviews, () => api.list(reviewList, request, signal)),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
    refetchOnWindowFocus: "always",
    meta: { shownInPlace: true },
  });
};

/** How many releases wait for their submitters. */
export const changesAskedQuery = queryOptions({
  queryKey: ["list", "/reviews", "changes-asked"],
  queryFn: async ({ signal }) =>
    (await api.list(reviewList, { changesAsked: "true", size: "1" }, signal)).page.totalElements,
  refetchInterval: refreshMs,
  meta: { shownInPlace: true },
});

const reviewQuery = (id: number, base: string | undefined) =>
  queryOptions({
    queryKey: ["review", id, base],
    queryFn: ({ signal }) => call(readReview, { id, query: base === undefined ? {} : { base } }, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.state === "WAITING" ? (data.comparison ? findingsMs : inspectingMs) : false,
    meta: { shownInPlace: true },
  });

/** What people decide and write, while they still may. Without what the archive shows, the server reads a few rows for it. */
const liveQuery = (id: number) =>
  queryOptions({
    // Reloaded with the review: what was read before a change must not hide it.
    queryKey: ["review", id, "live"],
    queryFn: async ({ signal }) => {
      const review = await call(readReview, { id, query: { findings: "false" } }, { signal });
      const { comparison: _comparison, impact: _impact, indicators: _indicators, ...live } = review;
      return live;
    },
    // Not while the page is hidden, but at once when it is shown again.
    refetchInterval: ({ state: { data } }) => (data?.state === "WAITING" ? liveMs : false),
    refetchOnWindowFocus: "always",
    meta: { shownInPlace: true },
  });

/** Everything about a release, with what others have decided and written in the last seconds. */
export function useReview(id: number, base: string | undefined) {
  const { data: review, dataUpdatedAt: readAt, error, refetch } = useQuery(reviewQuery(id, base));
  const { data: live, dataUpdatedAt: liveAt } = useQuery({
    ...liveQuery(id),
    enabled: review?.state === "WAITING",
  });
  const data = useMemo(
    (): ReleaseReview | undefined => (review && live && liveAt > readAt ? { ...review, ...live } : review),
    [review, live, liveAt, readAt],
  );
  return { data, error, refetch };
}

/** Releases have a file for each system, and rarely more. */
const mostOthers = 20;

/**
 * The reviews of the other files of a release, as each is compared by default, once the open one has been compared.
 * Printing does not wait, so they are loaded before.
 */
export function useOtherReviews({ release, comparison }: ReleaseReview, id: number): Map<number, ReleaseReview> {
  const ids = release.files.map(({ submissionId }) => submissionId).filter((other) => other !== id);
  const loaded = useQueries({
    queries: ids.slice(0, mostOthers).map((other) => ({
      ...reviewQuery(other, undefined),
      // Not read again for each comment: only what the archives show is printed.
      queryKey: ["review-in-report", other],
      enabled: comparison !== null,
      staleTime: findingsMs,
      refetchInterval: false as const,
    })),
  });
  return new Map(loaded.flatMap(({ data }, index) => (data ? [[ids[index] ?? 0, data] as const] : [])));
}

interface DiffRequest {
  id: number;
  path: string;
  base: string | undefined;
  ignoreWhitespace: boolean;
}

export const diffQuery = ({ id, path, base, ignoreWhitespace }: DiffRequest) =>
  queryOptions({
    queryKey: ["review-diff", id, base, path, ignoreWhitespace],
    queryFn: ({ signal }) =>
      call(
        readFileDifference,
        {
          id,
          query: {
            path,
            ...(base === undefined ? {} : { base }),
            ...(ignoreWhitespace ? { whitespace: "true" } : {}),
          },
        },
        { signal },
      ),
    // An archive never changes.
    staleTime: Number.POSITIVE_INFINITY,
    meta: { shownInPlace: true },
  });

/** The text of a file as it is in the release: for the lines that its difference leaves out. */
export const textQuery = (id: number, path: string) =>
  queryOptions({
    queryKey: ["review-text", id, path],
    queryFn: async () => (await download(downloadMember, { id, query: { path } })).text(),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The name and version of a release, as people say it. */
export const nameOf = ({ name, version }: Pick<Release, "name" | "version">): string => `${name} ${version}`;

export const holds = (release: Pick<Release, "files">, submissionId: number): boolean =>
  release.files.some((file) => file.submissionId === submissionId);

/** The submission that the desk opens: that of the first file, and sources come first. */
export const opensAt = ({ files, id }: Pick<Release, "files" | "id">): number => files[0]?.submissionId ?? id;

export const isMissing = (error: unknown): boolean =>
  error instanceof ApiFailure && (error.status === 404 || error.status === 403);
