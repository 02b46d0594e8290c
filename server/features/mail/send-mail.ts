import { randomUUID } from "node:crypto";
import { noMailHost } from "@packhouse/contract/mail";
import type { Logger } from "pino";
import { addressWithoutRequest } from "../../http/addresses.ts";
import { actorById } from "../../identity/sign-in/authenticate.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/database.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { type Mailer, MailFailure } from "../../platform/mail/mailer.ts";
import { isMailAddress } from "../../platform/names/mail-address.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { composeMail } from "./compose-mail.ts";
import { type Notice, stillMatters, untilComplete } from "./mail.ts";
import { aloneFor, mailNotices } from "./store.ts";
import { unsubscribeAddress } from "./unsubscribe-link.ts";

export interface MailContext {
  db: Db;
  settings: Settings;
  clock: Clock;
  log: Logger;
  jobs: Pick<Jobs, "enqueue">;
  mailer: Mailer;
  /** Signs the links that stop mail. */
  secret: string;
}

/** A mail server that accepts a mail and never says so gets no more copies of it than these. */
const mostCopies = 3;
/** Another process is sending to the same user. */
const busySeconds = 5;

/**
 * Sends a user one mail about all that has happened, once nothing more has happened for a while. Throws if the mail
 * server could not take it: the job then runs again. A mail that it may have taken is sent again as the same mail.
 */
export async function sendMail(context: MailContext, userId: number): Promise<void> {
  const { db, settings, clock, jobs } = context;
  const notices = mailNotices(db);
  const done = await aloneFor(db, userId, async () => {
    for (;;) {
      const unsent = await notices.unsentBatch(userId);
      if (unsent !== undefined) {
        await sendBatch(context, userId, unsent);
        continue;
      }
      const now = clock();
      const until = new Date(now.getTime() + settings["mail.collectSeconds"] * 1000);
      const due = await notices.dueBefore(userId, until);
      if (!due) return;
      const waitMs = untilComplete(due, now, settings);
      if (waitMs > 0) return jobs.enqueue(db, "send-mail", { userId }, Math.ceil(waitMs / 1000));
      await notices.makeBatch(userId, until, randomUUID());
    }
  });
  if (!done) await jobs.enqueue(db, "send-mail", { userId }, busySeconds);
}

async function sendBatch(
  { db, settings, clock, log, mailer, secret }: MailContext,
  userId: number,
  batch: string,
): Promise<void> {
  const notices = mailNotices(db);
  const now = clock();
  const actor = await actorById({ db, settings, clock }, userId);
  const chosen = actor && hasMailAddress(actor) ? await notices.chosenBy(userId) : undefined;
  const recipient = actor && chosen && { actor, choices: chosen.choices };
  const all = await notices.ofBatch(batch);
  const matters = (notice: Notice) => recipient !== undefined && stillMatters(notice, recipient, now);
  const matter = all.filter(matters);
  await notices.drop(all.filter((notice) => !matters(notice)).map(({ id }) => id));
  if (!recipient || matter.length === 0) return;
  const kinds = [...new Set(matter.map(({ kind }) => kind))];
  const base = addressWithoutRequest(settings);
  const stop = unsubscribeAddress(base, secret, { userId, kinds }, now);
  const language = chosen.language ?? settings["defaults.language"];
  const content = composeMail(matter, { language, title: settings.title, base, stop });
  try {
    await mailer.send({
      ...content,
      to: { name: actor.name, address: actor.email },
      id: batch,
      unsubscribeAddress: stop,
    });
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    log.warn({ user: userId, outcome: error.outcome, reason: error.message }, "a mail was not sent");
    if (error.outcome === "refused") return notices.end(batch, now);
    if (error.outcome === "unknown" && (await notices.countUnknown(batch)) >= mostCopies)
      return notices.end(batch, now);
    if (error.outcome === "unsent") await notices.release(batch);
    throw error;
  }
  await notices.end(batch, clock());
}

const hasMailAddress = ({ email }: { email: string }): boolean => isMailAddress(email) && !email.endsWith(noMailHost);
