import type { Caller, Relation } from "@packhouse/contract/permissions";
import type { RoleName } from "@packhouse/contract/roles";
import type { Repository } from "../../features/repositories/store.ts";
import type { Client, TestPackhouse } from "../packhouse.ts";

/** The package whose records the matrix covers, and another one. */
export const packageName = "matrix";
const otherPackage = "other";

/** A user of the matrix, with their relation to its records. Stated independently of the server. */
interface Description {
  role: RoleName;
  /** Cannot sign in. */
  out?: "deactivated" | "deleted" | "expired";
  /** Has a live maintainer record that matters for their role. */
  maintainsRepository?: true;
  maintainsPackage?: true;
  submitter?: true;
  responsible?: true;
  byAccessToken?: true;
}

export const descriptions = {
  stranger: { role: "user" },
  submitter: { role: "user", submitter: true },
  "package maintainer of nothing": { role: "packagemaintainer" },
  "package maintainer of it": { role: "packagemaintainer", maintainsPackage: true },
  "package maintainer of another": { role: "packagemaintainer" },
  "former package maintainer of it": { role: "packagemaintainer" },
  "responsible person": { role: "packagemaintainer", responsible: true },
  "package maintainer demoted to user": { role: "user" },
  "package maintainer raised to repository maintainer": { role: "repositorymaintainer" },
  "repository maintainer of it": { role: "repositorymaintainer", maintainsRepository: true },
  "repository maintainer of another": { role: "repositorymaintainer" },
  "former repository maintainer of it": { role: "repositorymaintainer" },
  "repository maintainer demoted to package maintainer": { role: "packagemaintainer" },
  administrator: { role: "admin" },
  "administrator by an access token": { role: "admin", byAccessToken: true },
  "deactivated administrator": { role: "admin", out: "deactivated" },
  "deleted administrator": { role: "admin", out: "deleted" },
  "expired administrator": { role: "admin", out: "expired" },
} as const satisfies Record<string, Description>;
export type PersonName = keyof typeof descriptions;

export interface Person {
  name: string;
  id: number;
  out: boolean;
  caller: Caller;
  /** The user's relation to a record of the package or of its repository. */
  relation: Relation;
  /** Signed in by password, unless the caller has an access token. */
  client: Client;
}

/** All users of the matrix, around a repository of each technology; the last one is anonymous. */
export async function createPeople(
  it: TestPackhouse,
  repositories: readonly Repository[],
): Promise<{ people: Person[]; byName: Record<PersonName, Person> }> {
  const byName: Partial<Record<PersonName, Person>> = {};
  for (const [name, description] of Object.entries(descriptions) as [PersonName, Description][]) {
    const { id } = await it.given.person(name.replaceAll(" ", "-"), description.role);
    const { role, out, byAccessToken = false, ...relation } = description;
    const client = await (byAccessToken ? it.as({ id }) : it.bySession({ id }));
    byName[name] = { name, id, out: out !== undefined, caller: { id, role, byAccessToken }, relation, client };
    const change = { deactivated: { active: false }, deleted: { deleted: true }, expired: { expires_on: new Date(0) } };
    if (out) await it.deps.db.updateTable("users").set(change[out]).where("id", "=", id).execute();
  }
  const all = byName as Record<PersonName, Person>; // every name was visited
  const elsewhere = await it.given.repository("R");
  for (const repository of repositories) await appoint(it, all, repository);
  await it.given.repositoryMaintainer(all["repository maintainer of another"], elsewhere);
  const nobody: Person = {
    name: "nobody",
    id: 0,
    out: true,
    caller: { id: 0, role: "user" },
    relation: {},
    client: it.anonymous,
  };
  return { people: [...Object.values(all), nobody], byName: all };
}

/** The maintainer records that define users' relations to a repository and its package. */
export async function appoint(
  it: TestPackhouse,
  people: Record<PersonName, { id: number }>,
  repository: { id: number },
): Promise<void> {
  const { db } = it.deps;
  const { given } = it;
  await given.packageMaintainer(people["package maintainer of it"], repository, packageName);
  await given.packageMaintainer(people["package maintainer of another"], repository, otherPackage);
  await given.repositoryMaintainer(people["repository maintainer of it"], repository);
  await given.repositoryMaintainer(people["repository maintainer demoted to package maintainer"], repository);
  // Live records under names of their own, since a package has one maintainer.
  for (const name of [
    "package maintainer demoted to user",
    "package maintainer raised to repository maintainer",
  ] as const)
    await given.packageMaintainer(people[name], repository, `${packageName}-${people[name].id}`);
  const former = {
    package_maintainers: await given.packageMaintainer(people["former package maintainer of it"], repository, "gone"),
    repository_maintainers: await given.repositoryMaintainer(people["former repository maintainer of it"], repository),
  };
  await db
    .updateTable("package_maintainers")
    .set({ deleted: true, package_name: packageName, normalized_name: packageName })
    .where("id", "=", former.package_maintainers)
    .execute();
  await db
    .updateTable("repository_maintainers")
    .set({ deleted: true })
    .where("id", "=", former.repository_maintainers)
    .execute();
}
