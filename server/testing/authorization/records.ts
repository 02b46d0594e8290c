import { randomUUID } from "node:crypto";
import type { SubmissionState } from "@packhouse/contract/references";
import type { Technology } from "@packhouse/contract/technology";
import { sql } from "kysely";
import type { Repository } from "../../features/repositories/store.ts";
import { hashOfToken } from "../../identity/tokens/access-token-value.ts";
import type { Client, TestPackhouse } from "../packhouse.ts";
import { smallRPackage, smallWheel } from "../small-packages.ts";
import { appoint, type Person, type PersonName, packageName } from "./people.ts";

/** A record that a call of the matrix is about. */
export interface TargetRecord {
  id: number;
  /** Whose account, settings or token it is. */
  ownerId?: number;
  /** File name of a package. */
  fileName?: string;
  /** Signed in by a separate session, for calls that end it. */
  client?: Client;
}

export const packageStates = ["accepted", "inactive", "waiting", "rejected", "cancelled", "deleted"] as const;
export type PackageState = (typeof packageStates)[number];

/** Kinds of events that differ in who sees them. */
export const eventStates = [
  "own",
  "own, about another account",
  "about an account",
  "about a token",
  "about the repository",
  "about the package",
  "about the deleted package",
  "about the submission",
  "about a repository maintainer",
  "purged",
] as const;
export type EventState = (typeof eventStates)[number];

const stateOfSubmission: Record<PackageState, SubmissionState> = {
  accepted: "ACCEPTED",
  inactive: "ACCEPTED",
  deleted: "ACCEPTED",
  waiting: "WAITING",
  rejected: "REJECTED",
  cancelled: "CANCELLED",
};

/** Creates records in the requested state, as often as the calls of the matrix use them up. */
export async function recordMakers(
  it: TestPackhouse,
  repositories: Record<Technology, Repository>,
  people: Record<PersonName, Person>,
) {
  const { db } = it.deps;
  let count = 0;

  // One real upload for each technology; all other packages are further versions of it with the same bytes.
  const templates: Partial<Record<Technology, number>> = {};
  const files = { R: await smallRPackage(packageName, "0.0.1"), Python: await smallWheel(packageName, "0.0.1") };
  for (const technology of ["R", "Python"] as const) {
    const { data } = await (await it.as(it.admin)).upload(technology, files[technology], {
      repository: repositories[technology].name,
    });
    templates[technology] = data.packageBag.id;
  }

  async function packageIn(
    technology: Technology,
    state: PackageState,
  ): Promise<TargetRecord & { submissionId: number }> {
    count += 1;
    const submission = stateOfSubmission[state];
    const active = submission === "ACCEPTED" && state === "accepted";
    const deleted = state === "deleted" || state === "rejected" || state === "cancelled";
    const version = `1.0.${count}`;
    const fileName =
      technology === "R" ? `${packageName}_${version}.tar.gz` : `${packageName}-${version}-py3-none-any.whl`;
    const columns = sql.raw(
      "repository_id, technology, name, normalized_name, version_order, kind, digest, digests, size, title, description, description_content_type, author, url, license, metadata, uploaded_on",
    );
    const { rows } = await sql<{ id: number }>`
      insert into packages (${columns}, version, version_key, target, file_name, responsible_user_id, active, deleted)
      select ${columns}, ${version}, ${version}, target, ${fileName}, ${people["responsible person"].id}, ${active}, ${deleted}
      from packages where id = ${templates[technology] ?? 0} returning id`.execute(db);
    const id = rows[0]?.id ?? 0;
    const { id: submissionId } = await db
      .insertInto("submissions")
      .values({
        package_id: id,
        technology,
        submitter_id: people.submitter.id,
        approver_id: submission === "WAITING" ? null : people.administrator.id,
        state: submission,
        changes: "",
        created_on: it.deps.clock(),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { id, submissionId, fileName };
  }

  /** On a waiting submission of an R package. */
  async function comment(authorId: number, state: string): Promise<TargetRecord> {
    const { submissionId } = await packageIn("R", "waiting");
    const now = it.deps.clock();
    const { id } = await db
      .insertInto("review_comments")
      .values({
        submission_id: submissionId,
        text: "What is this for?",
        author_id: authorId,
        created_on: now,
        deleted_on: state === "deleted" ? now : null,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { id, ownerId: authorId };
  }

  async function repository(technology: Technology, state: string): Promise<TargetRecord> {
    const made = await it.given.repository(technology, { published: state === "live" });
    await appoint(it, people, made);
    if (state === "deleted")
      await db.updateTable("repositories").set({ deleted: true, published: false }).where("id", "=", made.id).execute();
    return { id: made.id };
  }

  async function person(state: string): Promise<TargetRecord> {
    count += 1;
    const { id } = await it.given.person(`target-${count}`, "packagemaintainer");
    const change = { live: {}, inactive: { active: false }, deleted: { deleted: true, active: false } }[state];
    if (change && Object.keys(change).length > 0)
      await db.updateTable("users").set(change).where("id", "=", id).execute();
    await secondFactor(id);
    return { id, ownerId: id };
  }

  async function secondFactor(ownerId: number): Promise<TargetRecord> {
    count += 1;
    const { id } = await db
      .insertInto("second_factors")
      .values({
        user_id: ownerId,
        kind: "totp",
        name: `phone ${count}`,
        totp_secret: Buffer.from("a secret of the matrix"),
        totp_last_step: 0,
        created_on: it.deps.clock(),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { id, ownerId };
  }

  async function accessToken(ownerId: number, state: string): Promise<TargetRecord> {
    count += 1;
    const now = it.deps.clock();
    const { id } = await db
      .insertInto("access_tokens")
      .values({
        user_id: ownerId,
        name: `token ${count}`,
        value_hash: hashOfToken(`matrix ${count}`),
        active: state !== "inactive",
        created_on: now,
        expires_on: new Date(now.getTime() + 86_400_000),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { id, ownerId };
  }

  async function session(ownerId: number): Promise<TargetRecord> {
    const now = it.deps.clock();
    const { id } = await db
      .insertInto("sessions")
      .values({
        user_id: ownerId,
        key: randomUUID(),
        device: "matrix",
        address: "192.0.2.1",
        created_on: now,
        last_used_on: now,
        expires_on: new Date(now.getTime() + 86_400_000),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { id, ownerId };
  }

  /** In the R repository, held by a user who is not otherwise in the matrix. */
  async function packageMaintainer(state: string): Promise<TargetRecord> {
    count += 1;
    const holder = await it.given.person(`holder-${count}`, "packagemaintainer");
    const id = await it.given.packageMaintainer(holder, repositories.R, `held${count}`);
    if (state === "deleted")
      await db.updateTable("package_maintainers").set({ deleted: true }).where("id", "=", id).execute();
    return { id };
  }

  async function repositoryMaintainer(state: string): Promise<TargetRecord> {
    count += 1;
    const holder = await it.given.person(`keeper-${count}`, "repositorymaintainer");
    const id = await it.given.repositoryMaintainer(holder, repositories.R);
    if (state === "deleted")
      await db.updateTable("repository_maintainers").set({ deleted: true }).where("id", "=", id).execute();
    return { id };
  }

  /** An event about a new record. Its author is the administrator, or the caller for their own events. */
  async function event(about: EventState, authorId = people.administrator.id): Promise<TargetRecord> {
    const subject = await eventSubject(about);
    const { id } = await db
      .insertInto("events")
      .values({
        occurred_on: it.deps.clock(),
        user_id: authorId,
        event_type: "update",
        technology: subject.repository_id === null ? null : "R",
        package_name: null,
        changed_properties: "[]",
        description: "",
        purged: about === "purged",
        ...subject,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { id };
  }

  async function eventSubject(about: EventState) {
    const inRepository = { repository_id: repositories.R.id, package_id: null };
    const nowhere = { repository_id: null, package_id: null };
    const ofPackage = async (state: PackageState) => {
      const made = await packageIn("R", state);
      return { ...inRepository, package_id: made.id, made };
    };
    switch (about) {
      case "about an account":
      case "own, about another account":
        return { resource_type: "USER", resource_id: (await person("live")).id, ...nowhere } as const;
      case "about a token": {
        const { id } = await accessToken(people.administrator.id, "live");
        return { resource_type: "ACCESS_TOKEN", resource_id: id, ...nowhere } as const;
      }
      case "about the repository":
      case "own":
        return { resource_type: "REPOSITORY", resource_id: repositories.R.id, ...inRepository } as const;
      case "about the package":
      case "about the deleted package": {
        const { made, ...place } = await ofPackage(about === "about the package" ? "accepted" : "deleted");
        return { resource_type: "PACKAGE", resource_id: made.id, ...place } as const;
      }
      case "about the submission":
      case "purged": {
        const { made, ...place } = await ofPackage("waiting");
        return { resource_type: "SUBMISSION", resource_id: made.submissionId, ...place } as const;
      }
      case "about a repository maintainer": {
        const { id } = await repositoryMaintainer("live");
        return { resource_type: "REPOSITORY_MAINTAINER", resource_id: id, ...inRepository } as const;
      }
    }
  }

  return {
    package: (technology: Technology) => (state: string) => packageIn(technology, state as PackageState), // one of the states that the table names
    submission: (technology: Technology) => async (state: string) => ({
      id: (await packageIn(technology, state as PackageState)).submissionId, // the same
    }),
    comment,
    repository: (technology: Technology) => (state: string) => repository(technology, state),
    person,
    accessToken,
    secondFactor,
    session,
    packageMaintainer,
    repositoryMaintainer,
    event,
    /** Parts of a new record that no other has. */
    fresh: () => {
      count += 1;
      return count;
    },
    upload: async (technology: Technology) => {
      count += 1;
      const make = { R: smallRPackage, Python: smallWheel }[technology];
      return { file: await make(packageName, `2.0.${count}`), repository: repositories[technology].name };
    },
  };
}
export type RecordMakers = Awaited<ReturnType<typeof recordMakers>>;
