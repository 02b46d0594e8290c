import { lazyWithRetry } from "../../../ui/loading/lazy-with-retry.ts";

/** Loaded when it is opened. */
export const LazyForeignPage = lazyWithRetry(() => import("./foreign-page.tsx").then((it) => it.ForeignPage));
