import { z } from "zod";
import { readOwn, storeOwn } from "../../session/own-storage.ts";

const key = "packhouse.recent";
const mostRecent = 6;

/** What a user recently opened through the search, newest first. */
const recentItem = z.object({ label: z.string(), hint: z.string(), address: z.string() });
export type RecentItem = z.infer<typeof recentItem>;
export const recentItems = (userId: number): RecentItem[] => readOwn(key, userId, z.array(recentItem)) ?? [];
export const storeRecentItem = (userId: number, item: RecentItem): void =>
  storeOwn(
    key,
    userId,
    [item, ...recentItems(userId).filter(({ address }) => address !== item.address)].slice(0, mostRecent),
  );
