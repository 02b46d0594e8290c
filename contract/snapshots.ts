import { z } from "zod";

/** A past state of a published repository that can still be installed from, at `/repo/{name}/@{serial}/`. */
export const snapshot = z.object({ serial: z.int(), renderedOn: z.string() });
export type Snapshot = z.infer<typeof snapshot>;

/** `GET /repositories/{id}/snapshots`: the most recent ones, newest first. */
export const snapshots = z.object({ snapshots: z.array(snapshot) });
