import type { Sent } from "@packhouse/contract/answer";
import { instantText } from "@packhouse/contract/envelope";
import { type CheckReport, isCheckName, mostChecks, type reviewChecks } from "@packhouse/contract/review/checks";
import { mostReviewCharacters } from "@packhouse/contract/review/conversation";
import type { Actor } from "../../../http/actor.ts";
import type { Db } from "../../../platform/db/database.ts";
import { invalid } from "../../../platform/errors/refusal.ts";
import { change } from "../../../platform/event-log/record-event.ts";
import type { Deps } from "../../deps.ts";
import { missingChecks } from "../../submissions/required-checks-store.ts";
import { reviewText } from "../../submissions/submission.ts";
import { changeReview } from "../reviewed/change-review.ts";
import { checks } from "./check-store.ts";

/** Stores the result of a check; earlier ones of the same name become its history. */
export async function reportCheck(deps: Deps, actor: Actor, id: number, given: CheckReport): Promise<void> {
  const name = given.name.trim();
  if (!isCheckName(name)) throw invalid(["invalid.check.name"]);
  const summary = reviewText(given.summary ?? "");
  await changeReview(deps, { actor, id, permission: "reportCheck" }, async ({ tx, at, files, record }) => {
    const before = await checks(tx).before(id, name);
    if (before.others >= mostChecks) throw invalid(["too.many.checks"]);
    const added = summary.length + JSON.stringify(given.annotations ?? []).length;
    if ((await checks(tx).characters(files, { id, name })) + added > mostReviewCharacters)
      throw invalid(["too.many.checks"]);
    await checks(tx).add(id, { ...given, name, summary }, { userId: actor.id, at });
    await record(change("check", before.state, given.state), `reported the check ${name} as ${given.state} for`);
  });
}

/** What checks have reported about the files of a release. */
export async function readChecks(db: Db, id: number, files: readonly number[]): Promise<Sent<typeof reviewChecks>> {
  const store = checks(db);
  const [latest, history, required, missing] = await Promise.all([
    store.latest(files),
    store.history(files),
    store.required(id),
    missingChecks(db, id),
  ]);
  return {
    checks: latest.map((row) => ({
      id: row.id,
      submissionId: row.submission_id,
      name: row.name,
      state: row.state,
      summary: row.summary,
      link: row.link,
      annotations: row.annotations,
      user: row.user,
      time: instantText(row.reported_on),
      required: required.includes(row.name),
      history: history
        .filter((one) => one.id !== row.id && one.name === row.name && one.submission_id === row.submission_id)
        .map(({ id, state, user, reported_on }) => ({ id, state, user, time: instantText(reported_on) })),
    })),
    required,
    missing,
  };
}
