import { z } from "zod";

/** A state of a published repository that can be installed from again, at `/repo/{name}/@{serial}/`. */
export const snapshot = z.object({ serial: z.int(), renderedOn: z.string() });
export type Snapshot = z.infer<typeof snapshot>;

/** `GET /repositories/{id}/snapshots`: the latest, newest first. */
export const snapshots = z.object({ snapshots: z.array(snapshot) });
