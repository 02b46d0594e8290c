import type { Decision } from "@packhouse/contract/submissions";
import { buildPackages } from "@packhouse/fixtures/build-packages";
import type { BuiltPackage } from "@packhouse/fixtures/built-package";
import type { Packhouse } from "../../app/app.ts";
import { createMaintainer } from "../../features/maintainers/create-maintainer.ts";
import { maintainerScopes } from "../../features/maintainers/scopes.ts";
import { editPackage } from "../../features/packages/edit-package.ts";
import { createRepository } from "../../features/repositories/create-repository.ts";
import { decideSubmission } from "../../features/submissions/decide-submission.ts";
import { uploadPackage } from "../../features/submissions/upload-package.ts";
import type { Actor } from "../../http/actor.ts";
import { createPerson } from "../../identity/accounts/accounts-of-settings.ts";
import { hashPassword } from "../../identity/passwords/password.ts";
import { actorById } from "../../identity/sign-in/authenticate.ts";
import { buildReviews, type DemoUpload } from "./build-reviews.ts";
import { deactivated, type Fate, fates, notes, packages, people, reasons, repositories } from "./organization.ts";
import { demoStore } from "./store.ts";

const hourMs = 3_600_000;
const founded = new Date("2025-10-01T08:00:00Z");
const decisions: Partial<Record<Fate, Decision>> = {
  accepted: "ACCEPTED",
  rejected: "REJECTED",
  cancelled: "CANCELLED",
};

interface Demo {
  packhouse: Packhouse;
  password: string;
  /** Where its repositories are published, without a trailing slash. */
  address: string;
  /** Moves the clock for everything that follows. */
  setTime(at: Date): void;
  print(text: string): void;
}

/** Builds the organization's history through the product's own functions, each at its own time. */
export async function buildOrganization({
  packhouse: { deps },
  password,
  address,
  setTime,
  print,
}: Demo): Promise<void> {
  setTime(founded);
  const ids = new Map<string, number>();
  const passwordHash = await hashPassword(password);
  for (const person of people) {
    ids.set(
      person.login,
      await createPerson(deps.db, deps.clock, {
        ...person,
        email: `${person.login}@example.org`,
        passwordHash,
        origin: "operator",
      }),
    );
  }
  const actor = async (login: string): Promise<Actor> => {
    const found = await actorById(deps, ids.get(login) ?? 0);
    if (!found) throw new Error(`the demo has no ${login}`);
    return found;
  };

  const administrator = await actor("admin");
  const repositoryIds = new Map<string, number>();
  for (const { maintainers, ...repository } of repositories) {
    const uri = `${address}/repo/${repository.name}`;
    const row = await createRepository(deps, administrator, repository.technology, {
      ...repository,
      publicationUri: uri,
      serverAddress: uri,
    });
    repositoryIds.set(repository.name, row.id);
    for (const login of maintainers)
      await createMaintainer(maintainerScopes.repository, deps, administrator, {
        userId: ids.get(login),
        repositoryId: row.id,
      });
  }
  for (const [packageName, { repository, maintainer }] of Object.entries(packages)) {
    const repositoryId = repositoryIds.get(repository);
    if (maintainer)
      await createMaintainer(maintainerScopes.package, deps, administrator, {
        userId: ids.get(maintainer),
        packageName,
        repositoryId,
      });
  }

  print("Filling the repositories…");
  const archives = [...(await buildPackages())].sort((a, b) => (a.released < b.released ? -1 : 1));
  for (const archive of archives) {
    const label = `${archive.name} ${archive.version}`;
    const home = packages[archive.name];
    if (!home) throw new Error(`the demo has no place for ${archive.name}`);
    const at = new Date(archive.released).getTime();
    setTime(new Date(at + hourMs));
    const submissionId = await upload(archive, { ...home, notes: notes[label] ?? "" });
    setTime(new Date(at + 20 * hourMs));
    await decide(label, submissionId, home.uploader);
    if (deactivated.includes(label)) await switchOff(submissionId, archive);
  }
  await buildReviews({ deps, setTime, actor, upload });

  async function upload(archive: BuiltPackage, { repository, uploader, notes: changes }: DemoUpload): Promise<number> {
    const outcome = await uploadPackage(deps, await actor(uploader), archive.technology, {
      parameters: { repository, changes, generateManual: false },
      fileName: archive.fileName,
      contentType: "application/gzip",
      received: await deps.storage.receive(bytesOf(archive), Number.MAX_SAFE_INTEGER),
    });
    if (!outcome.stored) throw new Error(`the demo uploads ${archive.fileName} twice`);
    return outcome.submissionId;
  }

  async function decide(label: string, submissionId: number, uploader: string): Promise<void> {
    const fate = fates[label] ?? "accepted";
    const { state, ...submission } = await demoStore(deps.db).submission(submissionId);
    const decision = decisions[fate];
    if (decision && state === "WAITING")
      await decideSubmission(
        deps,
        await actor(fate === "cancelled" ? uploader : "admin"),
        { id: submissionId, ...submission },
        {
          decision,
          reason: reasons[label],
        },
      );
  }

  async function switchOff(submissionId: number, { technology }: BuiltPackage): Promise<void> {
    const row = await demoStore(deps.db).submission(submissionId);
    await editPackage(deps, administrator, { technology, id: row.package_id }, [
      { op: "replace", path: "/active", value: false },
    ]);
  }
}

async function* bytesOf({ bytes }: BuiltPackage): AsyncGenerator<Uint8Array> {
  yield bytes;
}
