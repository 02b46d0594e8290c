import { instantText } from "@packhouse/contract/envelope";
import type { Mirror as MirrorBody } from "@packhouse/contract/mirrors";
import type { Mirror } from "./records/store.ts";

export const presentMirror = (row: Mirror): MirrorBody => ({
  name: row.name,
  uri: row.uri,
  schedule: row.schedule ?? "",
  packages: row.packages?.map(({ name, version }) => ({ name, version })) ?? null,
  lastRun: row.started_on && {
    startedOn: instantText(row.started_on),
    endedOn: row.ended_on && instantText(row.ended_on),
    stored: row.stored,
    errors: row.errors,
    clashes: row.clashes,
    skipped: row.skipped,
    ...(row.counts ? { counts: row.counts } : {}),
  },
  ...(row.shared_names ? { sharedNames: true } : {}),
});
