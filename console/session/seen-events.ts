import { z } from "zod";
import { siteStorage } from "../storage/browser-storage.ts";
import { readOwn, storeOwn } from "./own-storage.ts";

const key = "packhouse.seen-events";
const mostSeen = 200;

/** Ids of events that a user has seen since they signed in. */
export const seenEvents = (userId: number): ReadonlySet<number> => new Set(readOwn(key, userId, z.array(z.number())));
export const storeSeenEvents = (userId: number, ids: ReadonlySet<number>): void =>
  storeOwn(key, userId, [...ids].slice(-mostSeen));
export const forgetSeenEvents = (): void => siteStorage.remove(key);
