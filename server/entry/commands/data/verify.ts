import type { Finding } from "../../../operate/verification/finding.ts";
import { createRepairs, type Repairs } from "../../../operate/verification/repairs.ts";
import { verify as verifyInstallation } from "../../../operate/verification/verify.ts";
import { systemClock } from "../../../platform/clock.ts";
import { createJobs } from "../../../platform/jobs/jobs.ts";
import { createListener } from "../../../platform/jobs/listener.ts";
import { command, flag, somethingFound } from "../command.ts";
import { type Installation, inInstallation } from "../installation.ts";

export const verify = command({
  name: "verify",
  summary: "Compares the database, storage and indexes while servers run; with --repair, repairs them.",
  details: `A repair renders indexes again, counts packages again, adds missing rows for stored bytes, and corrects records that differ from the bytes. A package whose bytes are lost
is removed from the index, with an event, so that clients get a clear answer; it stays a finding until it is
restored, uploaded again or purged. Bytes that do not match their digest are removed.
Exit code 0: no findings. 1: there are findings that were not repaired.`,
  options: {
    repair: flag("Repairs what can be repaired; without it, nothing is changed."),
    deep: flag("Reads all bytes and compares their digests; without it, only sizes are compared."),
    json: flag("Prints each finding and the summary at the end as one line of JSON."),
  },
  async run({ environment, options: { repair, deep, json }, print }) {
    return inInstallation(environment, async (installation) => {
      const { db, storage } = installation;
      const report = (finding: Finding) => print(json ? JSON.stringify(finding) : lineOf(finding, repair));
      const check = (repairs?: Repairs) =>
        verifyInstallation({ db, storage, clock: systemClock }, { deep, repairs }, report);
      const summary = repair ? await withRepairs(installation, check) : await check();
      const { objects, repositories, repaired, left } = summary;
      print(
        json
          ? JSON.stringify({ summary })
          : `${left === 0 ? "No findings" : `Findings: ${left}`}${repaired > 0 ? `, repaired: ${repaired}` : ""}. Objects: ${objects}, repositories: ${repositories}.`,
      );
      return left === 0 ? 0 : somethingFound;
    });
  },
});

const lineOf = ({ kind, where, what, remedy, repaired }: Finding, repair: boolean): string =>
  `${kind}: ${where}: ${what}. ${repaired ? "Repaired" : repair ? "Left" : "Repair"}: ${remedy}.`;

/** With access to the job queue, which notifies running servers of what to copy and to sweep. */
async function withRepairs<Result>(
  { db, pool, storage, settings, log }: Installation,
  work: (repairs: Repairs) => Promise<Result>,
): Promise<Result> {
  const listener = createListener(pool.options, log);
  const jobs = createJobs({ db, pool }, listener, log);
  await jobs.start();
  try {
    return await work(await createRepairs({ db, storage, settings, clock: systemClock, jobs, log }));
  } finally {
    await jobs.stop(0);
    await listener.close();
  }
}
