import { lazyWithRetry } from "../loading/lazy-with-retry.ts";

/** A question that few users are asked: loaded when it is. */
export const LazyConfirmDialog = lazyWithRetry(() => import("./confirm-dialog.tsx").then((it) => it.ConfirmDialog));
