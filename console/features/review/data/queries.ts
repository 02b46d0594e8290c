import type { ItemOf } from "@packhouse/contract/list-contract";
import type { ReceivedFrom } from "@packhouse/contract/operation";
import { readFileDifference } from "@packhouse/contract/operations/inspections";
import { readReview } from "@packhouse/contract/operations/review";
import { reviewList } from "@packhouse/contract/review/release";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call, type ListRequest } from "../../../api/client.ts";
import { ApiFailure } from "../../../api/failure.ts";
import type { QueueAddress } from "./address.ts";

/** A waiting release, and everything about one, as this console receives them. */
export type Release = ItemOf<typeof reviewList>;
export type ReleaseReview = ReceivedFrom<typeof readReview>;

/** Others decide, too. */
const refreshMs = 20_000;
/** While a release is being inspected. */
const inspectingMs = 2000;
/** More than anybody decides in a day; the filter finds the others. */
const mostShown = 200;

const orders = { risk: "risk,desc", created: "created,asc", name: "name,asc" } as const;

export const queueQuery = (address: QueueAddress) => {
  const { search, technology, level, repository, all, changesAsked, sort = "risk" } = address;
  const given = { search, technology, level, repository, changesAsked };
  const filters = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const request: ListRequest<typeof reviewList> = {
    ...filters,
    ...(all || changesAsked ? {} : { mine: "true" }),
    size: String(mostShown),
    sort: orders[sort],
  };
  return queryOptions({
    queryKey: ["list", "/reviews", request],
    queryFn: ({ signal }) => api.list(reviewList, request, signal),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
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

export const reviewQuery = (id: number, base: string | undefined) =>
  queryOptions({
    queryKey: ["review", id, base],
    queryFn: ({ signal }) => call(readReview, { id, query: base === undefined ? {} : { base } }, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.state === "WAITING" ? (data.comparison ? refreshMs : inspectingMs) : false,
    meta: { shownInPlace: true },
  });

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

/** The name and version of a release, as people say it. */
export const nameOf = ({ name, version }: Pick<Release, "name" | "version">): string => `${name} ${version}`;

export const holds = (release: Pick<Release, "files">, submissionId: number): boolean =>
  release.files.some((file) => file.submissionId === submissionId);

/** The submission that the desk opens: that of the first file, and sources come first. */
export const opensAt = ({ files, id }: Pick<Release, "files" | "id">): number => files[0]?.submissionId ?? id;

export const isMissing = (error: unknown): boolean =>
  error instanceof ApiFailure && (error.status === 404 || error.status === 403);
