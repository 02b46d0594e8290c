import type { MirrorSkip } from "@packhouse/contract/mirrors";
import type { Technology } from "@packhouse/contract/technology";
import type { Db } from "../../../platform/db/database.ts";
import type { Workers } from "../../../platform/workers/pool.ts";
import type { PresentFile, WantedFile } from "../records/mirror.ts";
import type { Mirror } from "../records/store.ts";
import { pythonUpstream } from "./python-upstream.ts";
import { rUpstream } from "./r-upstream.ts";
import type { UpstreamClient } from "./upstream-client.ts";

/** What reading a mirror needs. */
export interface Reading {
  db: Db;
  client: UpstreamClient;
  mirror: Mirror;
  /** Indexes are read by it. */
  workers: Workers;
  signal: AbortSignal;
  /** Reports what is unavailable, and continues. */
  failed: (what: string) => void;
  /** Notes what is offered but not fetched: the first items, and how many there are. */
  skipped: (what: readonly MirrorSkip[], count: number) => void;
}

/** How clients read repositories of a technology. */
export interface Upstream {
  /**
   * What is wanted of a mirror, in parts that can be read independently: an R repository has one index, a Python one an
   * index for each project.
   */
  parts(reading: Reading): Promise<(() => Promise<WantedFile[]>)[]>;
  /**
   * Why a wanted file has to be fetched: it is missing, or upstream has other bytes under the same version. Undefined
   * when it is here. A deactivated or waiting package counts as here; a deleted one does not.
   */
  whyFetch(file: WantedFile, present: readonly PresentFile[]): "absent" | "changed" | undefined;
}

export const upstreams: Record<Technology, Upstream> = { R: rUpstream, Python: pythonUpstream };
