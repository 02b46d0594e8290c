import type { Decision } from "@packhouse/contract/submissions";
import type { Clock } from "../../platform/clock.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { dueFrom } from "./mail.ts";
import { mailNotices } from "./store.ts";

/**
 * Notices about a change, written in its transaction: if it is rolled back, no one is notified; if it is committed, no
 * notice is lost.
 */
export interface Notices {
  submissionWaits(tx: Tx, submissionId: number): Promise<void>;
  submissionDecided(tx: Tx, decided: DecidedSubmission): Promise<void>;
  /** A submission waits for its submitter. */
  changesAsked(tx: Tx, submissionId: number): Promise<void>;
  /** Someone wrote a comment on a file of a release. */
  commented(tx: Tx, comment: NewComment): Promise<void>;
  /** A mirror failed in a run, and did not in the one before. */
  mirrorFails(tx: Tx, mirrorId: number): Promise<void>;
}

export interface NewComment {
  submissionId: number;
  authorId: number;
  /** Submissions of the files of its release. */
  files: readonly number[];
}

interface DecidedSubmission {
  id: number;
  decision: Decision;
  /** Whether its submitter could have accepted it at upload: then no one else was needed. */
  ownAuthority: boolean;
}

export function createNotices(context: { settings: Settings; clock: Clock; jobs: Pick<Jobs, "enqueue"> }): Notices {
  const { settings, clock, jobs } = context;
  if (settings["mail.host"] === undefined) {
    const nothing = async () => {};
    return {
      submissionWaits: nothing,
      submissionDecided: nothing,
      changesAsked: nothing,
      commented: nothing,
      mirrorFails: nothing,
    };
  }
  const due = () => dueFrom(clock(), settings);
  const sendSoon = async (tx: Tx, userIds: readonly number[]) => {
    for (const userId of userIds) await jobs.enqueue(tx, "send-mail", { userId }, settings["mail.collectSeconds"]);
  };

  return {
    async submissionWaits(tx, submissionId) {
      await sendSoon(tx, await mailNotices(tx).addReview(submissionId, due()));
    },
    async submissionDecided(tx, { id, decision, ownAuthority }) {
      if (decision === "CANCELLED" && !ownAuthority) await sendSoon(tx, await mailNotices(tx).cancelReview(id, due()));
      else await mailNotices(tx).endReview(id);
      await sendSoon(tx, await mailNotices(tx).addDecision(id, due()));
    },
    async changesAsked(tx, submissionId) {
      await mailNotices(tx).endReview(submissionId);
      await sendSoon(tx, await mailNotices(tx).addChangesAsked(submissionId, due()));
    },
    async commented(tx, comment) {
      await sendSoon(tx, await mailNotices(tx).addComment(comment, due()));
    },
    async mirrorFails(tx, mirrorId) {
      await sendSoon(tx, await mailNotices(tx).addMirror(mirrorId, due()));
    },
  };
}
