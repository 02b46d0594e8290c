import { may } from "@packhouse/contract/permissions";
import { type Actor, relationTo } from "../../http/actor.ts";
import { mayReadRepository } from "../../identity/read-rights.ts";
import type { Db } from "../../platform/db/database.ts";
import type { PublishedRepository } from "../records/store.ts";
import { createPreview, type Preview } from "./create-preview.ts";
import type { IndexReader } from "./index-reader.ts";
import { previewStore } from "./preview-store.ts";

/** The submission in the first segment of a path below a repository, `@submission-12`. */
export function previewedSubmission(segment: string | undefined): number | undefined {
  const id = /^@submission-(\d{1,9})$/.exec(segment ?? "")?.[1];
  return id === undefined ? undefined : Number(id);
}

/**
 * The repository with a waiting release, for its submitter and users who may decide on it. Undefined once it is
 * decided, and for those who may not read the repository.
 */
export async function findPreview(
  deps: { db: Db; index: IndexReader },
  actor: Actor,
  repository: PublishedRepository,
  submissionId: number,
): Promise<Preview | "forbidden" | undefined> {
  if (!mayReadRepository(actor, repository)) return undefined;
  const release = await previewStore(deps.db).waitingRelease(repository.id, submissionId);
  if (!release) return undefined;
  if (!may("readWaitingPackage", actor, relationTo(actor, release.place))) return "forbidden";
  return createPreview(deps, repository, release);
}
