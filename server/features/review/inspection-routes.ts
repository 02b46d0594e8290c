import * as operations from "@packhouse/contract/operations/inspections";
import type { Actor } from "../../http/actor.ts";
import type { App } from "../../http/application.ts";
import { Fitted } from "../../http/handle.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import { type Submission, submissions } from "../submissions/store.ts";
import type { ReviewDeps } from "./deps.ts";
import { findBase } from "./find-base.ts";
import { findImpact } from "./impact/find-impact.ts";
import { readFileDifference, readMemberBytes, readMemberText } from "./inspections/archive-texts.ts";
import type { InspectedPackage } from "./inspections/inspection-store.ts";
import { checkReview, isTakenDown } from "./reviewed/check-review.ts";

interface OfSubmission {
  id: number;
  actor: Actor;
}

/** What a reviewer reads about the archive of a submission. */
export function inspectionRoutes(app: App, deps: ReviewDeps): void {
  const { inspections } = deps;

  const readable = async ({ id, actor }: OfSubmission): Promise<Submission> => {
    const row = await submissions(deps.db).byId(id);
    checkReview(row, actor, "readReview");
    return row;
  };
  const reviewed = async (call: OfSubmission): Promise<InspectedPackage> => {
    const it = await inspections.package((await readable(call)).id);
    if (!it) throw new Refusal("submission.notfound");
    if (isTakenDown(it)) throw new Refusal("package.notfound");
    return it;
  };

  app.handle(
    operations.readInspection,
    async (call) => new Fitted(await inspections.inspection(await reviewed(call), call.actor.id)),
  );

  app.handle(operations.readComparison, async (call) => {
    const it = await reviewed(call);
    const base = await findBase(deps, call.actor, it, call.query.base);
    const compared = await inspections.comparison(it, base, call.actor.id);
    return new Fitted({ ...compared, base: base ? presentBase(base) : null });
  });

  app.handle(operations.readFileDifference, async (call) => {
    const { path, whitespace: ignoresWhitespace = false } = call.query;
    if (path === undefined) throw new Refusal("bad.request");
    const it = await reviewed(call);
    const base = await findBase(deps, call.actor, it, call.query.base);
    return readFileDifference(deps, { it, base, path, ignoresWhitespace, whose: call.actor.id });
  });

  app.handle(operations.downloadMember, async (call) => {
    const { path, side = "after", bytes = false } = call.query;
    if (path === undefined || (side !== "after" && side !== "before")) throw new Refusal("bad.request");
    const own = await reviewed(call);
    const it = side === "before" ? await findBase(deps, call.actor, own, call.query.base) : own;
    if (!it) throw new Refusal("error.member.not.found");
    const wanted = { it, path, whose: call.actor.id };
    // Whatever it contains, browsers show it as text, or save it.
    call.reply
      .header("content-security-policy", "sandbox; default-src 'none'")
      .header("x-content-type-options", "nosniff");
    return bytes
      ? call.reply
          .header("content-type", "application/octet-stream")
          .header("content-disposition", "attachment")
          .send(await readMemberBytes(deps, wanted))
      : call.reply
          .header("content-type", "text/plain; charset=utf-8")
          .header("content-disposition", "inline")
          .send(await readMemberText(deps, wanted));
  });

  app.handle(
    operations.readImpact,
    async (call) => new Fitted(await findImpact(deps, call.actor, await readable(call))),
  );
}

const presentBase = ({ id, name, version, repository, fileName }: InspectedPackage): operations.ComparisonBase => ({
  packageId: id,
  name,
  version,
  repository,
  fileName,
});
