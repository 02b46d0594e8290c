import type { Logger } from "pino";
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/database.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { createMailer, type Mailer } from "../../platform/mail/mailer.ts";
import { storedSecret } from "../../platform/secrets/stored-secret-store.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { dueFrom } from "./mail.ts";
import { sendMail } from "./send-mail.ts";
import { mailNotices } from "./store.ts";

/** Mail that cannot be sent for as long is about what everyone knows by then. */
const keptMs = 3 * 86_400_000;

export interface OutgoingMail {
  /** Signs the links in mails. */
  secret: string;
  /** Call it after the jobs have started: sends what became due while no server was running. */
  start(): Promise<void>;
}

/** Registers the jobs that send mail. */
export async function createMail({ db, settings, clock, log, jobs, mailer: given }: MailDeps): Promise<OutgoingMail> {
  const secret = await storedSecret(db, "mail-links", clock());
  const mailer = given ?? createMailer(settings);
  jobs.work(
    "send-mail",
    async (payloads) => {
      if (!mailer) return;
      const failures: unknown[] = [];
      for (const userId of new Set(payloads.map((payload) => payload.userId)))
        await sendMail({ db, settings, clock, log, jobs, mailer, secret }, userId).catch((error: unknown) => {
          failures.push(error);
        });
      // All of these jobs run again; those whose mail was sent then find nothing to do.
      if (failures.length > 0) throw failures[0];
    },
    // Each holds a connection to the database while it waits for the mail server.
    { localConcurrency: 1 },
  );
  jobs.work("collect-mail", async () => {
    if (!mailer) return;
    const now = clock();
    const dropped = await mailNotices(db).dropOlder(new Date(now.getTime() - keptMs));
    if (dropped > 0) log.warn({ dropped }, "dropped notices that could not be sent by mail for three days");
    await db.transaction().execute(async (tx) => {
      await mailNotices(tx).addTokens({ ...dueFrom(now, settings), soon: now });
      for (const userId of await mailNotices(tx).usersWithDue(now)) await jobs.enqueue(tx, "send-mail", { userId });
    });
  });
  return {
    secret,
    async start() {
      if (mailer) await jobs.enqueue(db, "collect-mail", {});
    },
  };
}

interface MailDeps {
  db: Db;
  settings: Settings;
  clock: Clock;
  log: Logger;
  jobs: Jobs;
  /** Instead of the mail server of the settings. */
  mailer?: Mailer | undefined;
}
