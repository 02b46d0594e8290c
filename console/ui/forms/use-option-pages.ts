import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { FindOptions } from "../../api/options.ts";

/** Enough to fill an open list; with fewer, there is no end to scroll to. */
const fewestShown = 8;

interface OptionPages<Value> {
  options: Value[];
  isFetching: boolean;
  /** Why the last request failed. */
  error: Error | null;
  retry(): void;
  hasMore: boolean;
  /** Loads the next page when the end of the list is visible. */
  loadMore(): void;
}

/** The options of a selection list, page by page; duplicates by key are removed. */
export function useOptionPages<Value>(
  source: readonly unknown[],
  find: FindOptions<Value>,
  keyOf: (value: Value) => string,
  { search, enabled }: { search: string; enabled: boolean },
): OptionPages<Value> {
  const { data, isFetching, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ["options", ...source, search],
    queryFn: ({ pageParam, signal }) => find(search, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: (last, _all, page) => (last.more ? page + 1 : undefined),
    enabled,
    staleTime: 30_000,
    placeholderData: keepPreviousData,
    meta: { shownInPlace: true },
  });
  const all = data?.pages.flatMap(({ options }) => options) ?? [];
  const options = [...new Map(all.map((value) => [keyOf(value), value])).values()];
  const loadMore = () => {
    if (hasNextPage && !isFetching && !error) void fetchNextPage();
  };
  useEffect(() => {
    if (enabled && options.length < fewestShown) loadMore();
  });
  return { options, isFetching, error, retry: () => void refetch(), hasMore: hasNextPage, loadMore };
}
