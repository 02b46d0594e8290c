import type { MailChoices, MailKind } from "@packhouse/contract/mail";
import { may } from "@packhouse/contract/permissions";
import type { SubmissionState } from "@packhouse/contract/references";
import type { Technology } from "@packhouse/contract/technology";
import { type Actor, type Placed, relationTo } from "../../http/actor.ts";
import { mayReadRepository } from "../../identity/read-rights.ts";
import type { Settings } from "../../platform/settings/settings.ts";

/** When notices of now are due: after a moment in which more may happen, or at the time of the daily mail. */
export interface Due {
  at: Date;
  soon: Date;
  daily: Date;
}

interface Recipient {
  /** The user, with what they may do now. */
  actor: Actor;
  choices: MailChoices;
}

/** A notice with the present state of what it is about; exactly one of the three is not null. */
export interface Notice {
  id: number;
  kind: MailKind;
  submission: {
    id: number;
    state: SubmissionState;
    name: string;
    version: string;
    repository: { id: number; name: string };
    submitter: string;
    /** Who decided, or asked for changes. */
    approver: string | null;
    /** Author and text of the latest comment by someone else, for a notice of comments. */
    commentedBy: string | null;
    comment: string;
    /** Waits for its submitter. */
    changesAsked: boolean;
    /** Why, in Markdown; empty without a reason. */
    reason: string;
    /** Of the package. */
    deleted: boolean;
    place: Placed;
  } | null;
  token: { name: string; endsOn: string; active: boolean } | null;
  mirror: {
    name: string;
    repository: { id: number; name: string; technology: Technology; deleted: boolean };
    fails: boolean;
  } | null;
}

const dayMs = 86_400_000;

export type MailSettings = Pick<Settings, "mail.collectSeconds" | "mail.dailyHour">;

/** When something that happens now is due. */
export function dueFrom(at: Date, settings: MailSettings): Due {
  const daily = new Date(at);
  daily.setUTCHours(settings["mail.dailyHour"], 0, 0, 0);
  if (daily <= at) daily.setTime(daily.getTime() + dayMs);
  return { at, soon: new Date(at.getTime() + settings["mail.collectSeconds"] * 1000), daily };
}

/** How many times `mail.collectSeconds` a mail waits at most while more keeps happening. */
const mostPeriods = 10;

/** Milliseconds until notices that are due between two times make a mail: when nothing more has happened for a while. */
export function untilComplete(
  { first, last }: { first: Date; last: Date },
  now: Date,
  { "mail.collectSeconds": seconds }: MailSettings,
): number {
  const latest = first.getTime() + (mostPeriods - 1) * seconds * 1000;
  return Math.max(0, Math.min(last.getTime(), latest) - now.getTime());
}

/**
 * Whether a notice is still worth a mail: its user wants it, may know of it and act on it, and it is about something that
 * is still so.
 */
export function stillMatters(
  { kind, submission, token, mirror }: Notice,
  { actor, choices }: Recipient,
  now: Date,
): boolean {
  if (choices[kind] === "never") return false;
  if (token) return token.active && new Date(token.endsOn) > now;
  if (mirror) {
    const { id, deleted } = mirror.repository;
    return mirror.fails && !deleted && may("synchronizeRepository", actor, relationTo(actor, { repositoryId: id }));
  }
  if (!submission || !mayReadRepository(actor, submission.repository)) return false;
  const { state, changesAsked, deleted, place } = submission;
  const isTakenDown = deleted && state === "ACCEPTED";
  if (kind === "comments")
    return submission.commentedBy !== null && !isTakenDown && may("readReview", actor, relationTo(actor, place));
  if (kind === "decisions") return state !== "WAITING" || changesAsked;
  if (state === "CANCELLED") return true;
  return state === "WAITING" && !changesAsked && !deleted && may("acceptSubmission", actor, relationTo(actor, place));
}
