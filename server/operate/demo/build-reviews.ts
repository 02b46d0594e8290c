import { buildReleases } from "@packhouse/fixtures/build-releases";
import type { BuiltPackage } from "@packhouse/fixtures/built-package";
import { reportCheck } from "../../features/review/checks/checks.ts";
import { addComment } from "../../features/review/conversation/change-comments.ts";
import { assessRelease, assignRelease } from "../../features/review/conversation/desk.ts";
import { decideRelease } from "../../features/review/decide-release.ts";
import type { ReviewDeps } from "../../features/review/deps.ts";
import type { Actor } from "../../http/actor.ts";
import { packages } from "./organization.ts";
import { type DemoStep, steps, waitingReleases } from "./reviews.ts";
import { demoStore } from "./store.ts";

/** Where an archive of the demo is uploaded to, and by whom. */
export interface DemoUpload {
  repository: string;
  uploader: string;
  notes: string;
}

interface Reviews {
  deps: ReviewDeps;
  setTime(at: Date): void;
  actor(login: string): Promise<Actor>;
  /** Returns the id of the submission. */
  upload(archive: BuiltPackage, to: DemoUpload): Promise<number>;
}

/** Uploads what waits for a decision, and lets people and tools respond to it, each at its own time. */
export async function buildReviews({ deps, setTime, actor, upload }: Reviews): Promise<void> {
  const uploads = (await buildReleases()).map((archive) => ({
    at: new Date(archive.released),
    run: async () => {
      const label = `${archive.name} ${archive.version}`;
      const known = waitingReleases[label];
      const repository = known?.repository ?? packages[archive.name]?.repository;
      if (!known || repository === undefined) throw new Error(`the demo has no place for ${label}`);
      await upload(archive, { repository, uploader: known.uploader, notes: known.notes });
    },
  }));
  const responses = steps.map((step) => ({ at: new Date(step.at), run: () => take(step) }));
  for (const { at, run } of [...uploads, ...responses].sort((a, b) => a.at.getTime() - b.at.getTime())) {
    setTime(at);
    await run();
  }

  async function take({ about, by, comment, changes, check, assessment, assignee }: DemoStep): Promise<void> {
    const id = await demoStore(deps.db).waiting(about);
    const user = await actor(by);
    if (comment) await addComment(deps, user, id, await anchored(id, comment));
    if (changes !== undefined) await decideRelease(deps, user, id, { decision: "CHANGES", reason: changes });
    if (check) await reportCheck(deps, user, id, check);
    if (assessment) await assessRelease(deps, user, id, assessment);
    if (assignee !== undefined) await assignRelease(deps, user, id, (await actor(assignee)).id);
  }

  /** On a line, a comment keeps which bytes it is about. */
  async function anchored(id: number, { path, line, text }: NonNullable<DemoStep["comment"]>) {
    if (path === undefined || line === undefined) return { text };
    const { package_id } = await demoStore(deps.db).submission(id);
    const it = await deps.inspections.package(package_id);
    const files = it ? (await deps.inspections.inspection(it, it.submitterId)).files : [];
    const sha256 = files.find((file) => file.path === path)?.sha256;
    if (!sha256) throw new Error(`the demo has a comment on ${path}, which is not there`);
    return { text, path, line, side: "after" as const, sha256 };
  }
}
