import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import type { ApiUser } from "@packhouse/server/testing/product";
import { smallRPackage } from "@packhouse/server/testing/small-packages";
import { z } from "zod";

/** What the product has confirmed of one package, and what was begun but never answered. */
interface Entry {
  submission: number;
  package: number;
  accepted: boolean;
  purge: "none" | "begun" | "confirmed";
}

/** Everything that was asked for in one repository. */
export interface Book {
  repository: string;
  tried: Set<string>;
  stored: Map<string, Entry>;
}

export const newBook = (repository: string): Book => ({ repository, tried: new Set(), stored: new Map() });

export interface People {
  administrator: ApiUser;
  uploader: ApiUser;
}

/** Uploads, accepts and purges one package after another while `goOn` says so; what fails is left as it is. */
export async function work(people: () => People, book: Book, worker: string, goOn: () => boolean): Promise<void> {
  for (let count = 0; goOn(); count += 1) {
    const name = `fault${worker}x${count}`;
    const file = await smallRPackage(name, "1.0");
    book.tried.add(name);
    try {
      const { administrator, uploader } = people();
      const submission = await uploader.upload("R", book.repository, file);
      const entry: Entry = {
        submission: submission.id,
        package: submission.packageBag.id,
        accepted: false,
        purge: "none",
      };
      book.stored.set(name, entry);
      if (count % 4 === 3) continue; // it waits
      await administrator.accept("R", submission.id);
      entry.accepted = true;
      if (count % 4 === 2) {
        entry.purge = "begun";
        await administrator.call("PATCH", `/r/packages/${entry.package}`, [
          { op: "replace", path: "/deleted", value: true },
        ]);
        await administrator.call("DELETE", `/r/packages/${entry.package}`);
        entry.purge = "confirmed";
      }
    } catch {
      await sleep(50); // the fault: nothing was confirmed
    }
  }
}

const items = z.object({ content: z.array(z.object({ id: z.number() })) });

/** What is wrong with a repository after a fault; empty when everything that was confirmed is there, and nothing by halves. */
export async function wrongIn(address: string, { administrator }: People, book: Book): Promise<string[]> {
  const wrong: string[] = [];
  const entries = [...book.stored];
  const contrib = `${address}/repo/${book.repository}/src/contrib`;
  const index = await (await fetch(`${contrib}/PACKAGES`)).text();
  const packed = gunzipSync(Buffer.from(await (await fetch(`${contrib}/PACKAGES.gz`)).arrayBuffer())).toString();
  if (packed !== index) wrong.push("PACKAGES and PACKAGES.gz differ");
  const records = index.split("\n\n").filter((record) => record.trim() !== "");
  const field = (record: string, name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(record)?.[1] ?? "";
  const published = new Set(records.map((record) => field(record, "Package")));
  if (published.size !== records.length) wrong.push("the index lists a package twice");
  for (const record of records) {
    const name = field(record, "Package");
    if (!book.tried.has(name)) wrong.push(`the index lists ${name}, which nobody has uploaded`);
    const file = await fetch(`${contrib}/${name}_${field(record, "Version")}.tar.gz`);
    const digest = createHash("md5")
      .update(Buffer.from(await file.arrayBuffer()))
      .digest("hex");
    if (digest !== field(record, "MD5sum"))
      wrong.push(`the file of ${name} is answered by ${file.status} or has other bytes`);
  }
  for (const [name, { accepted, purge }] of entries) {
    if (accepted && purge === "none" && !published.has(name))
      wrong.push(`${name} was accepted and is not in the index`);
    if (purge === "confirmed" && published.has(name)) wrong.push(`${name} was purged and is in the index`);
  }
  const found = await submissionIds(administrator, book.repository);
  for (const [name, { submission, purge }] of entries) {
    if (purge === "none" && !found.has(submission)) wrong.push(`${name} was stored and its submission is lost`);
    if (purge === "confirmed" && found.has(submission)) wrong.push(`${name} was purged and its submission is there`);
  }
  return wrong;
}

async function submissionIds({ call }: ApiUser, repository: string): Promise<Set<number>> {
  const { data } = await call("GET", `/submissions?size=1000&repository=${repository}`);
  return new Set(items.parse(data).content.map(({ id }) => id));
}

/** Jobs that were under way go on by themselves; until then an index may be older than the records. */
export async function untilNothingIsWrong(
  address: string,
  people: People,
  book: Book,
  withinMs: number,
): Promise<string[]> {
  for (const deadline = Date.now() + withinMs; ; await sleep(200)) {
    const wrong = await wrongIn(address, people, book).catch((error: unknown) => [String(error)]);
    if (wrong.length === 0 || Date.now() > deadline) return wrong;
  }
}

export const isHealthy = (address: string): Promise<boolean> =>
  fetch(`${address}/actuator/health`, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
