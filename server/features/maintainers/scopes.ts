import type { Sent } from "@packhouse/contract/answer";
import type { Link } from "@packhouse/contract/links";
import {
  type packageMaintainer,
  type packageMaintainerCreation,
  packageMaintainerPatched,
  type repositoryMaintainer,
  type repositoryMaintainerCreation,
  repositoryMaintainerPatched,
} from "@packhouse/contract/maintainers";
import type { MessageCode } from "@packhouse/contract/messages";
import type { Operation } from "@packhouse/contract/operation";
import { maintainerOf } from "@packhouse/contract/operations/maintainers";
import type { Technology } from "@packhouse/contract/technology";
import { formatOf } from "@packhouse/formats/format";
import type { z } from "zod";
import type { Db, Tx } from "../../platform/db/database.ts";
import {
  type Maintainer,
  type MaintainerRules,
  type NewMaintainer,
  type Place,
  packageRules,
  repositoryRules,
} from "./maintainer.ts";
import { type MaintainerStore, packageMaintainerStore, repositoryMaintainerStore } from "./store.ts";

/** A record as JSON, without links. */
export interface MaintainerBody {
  user: { id: number };
  packageName?: string;
  repository: { id: number };
  deleted: boolean;
}

/** The body of a request that creates a maintainer, or what a patch leaves of a record. */
type Creation = z.output<typeof repositoryMaintainerCreation> &
  Partial<Pick<z.output<typeof packageMaintainerCreation>, "packageName">>;

/** An operation on one record. */
type OnRecord = Operation & { path: `${string}/:id` };
/** An operation that answers a record. */
type Answering<Body> = Operation & { answer: { data: z.ZodType<Body & { links: Link[] }> } };

/** What distinguishes maintainers of packages from maintainers of repositories. */
export interface MaintainerScope<Row extends Maintainer = Maintainer, Body extends MaintainerBody = MaintainerBody> {
  operations: {
    read: OnRecord & Answering<Body>;
    create: Answering<Body> & { body: { json: z.ZodType<Creation> } };
    edit: OnRecord & Answering<Body> & { body: "json-patch" };
    purge: OnRecord & { answer: "nothing" };
  };
  listRel: string;
  resource: "PACKAGE_MAINTAINER" | "REPOSITORY_MAINTAINER";
  notFound: MessageCode;
  rules: MaintainerRules;
  store(db: Db | Tx): MaintainerStore<Row>;
  /** How a patched record is read. */
  patched: z.ZodType<Creation & { id: number; deleted: boolean }>;
  body(row: Row): Body;
  /** The maintainer that a request asks for. */
  requested(body: Creation): NewMaintainer;
  /** The place named by a caller. */
  place(repository: { id: number; technology: Technology }, named: { packageName?: string }): Place;
  /** The user who holds a record after a patch that names `wanted`. */
  holder(before: Row, wanted: { id: number }): number;
  /** What is maintained, as worded in descriptions. */
  phrase(row: Row): string;
}
const scope = <Row extends Maintainer, Body extends MaintainerBody>(
  it: MaintainerScope<Row, Body>,
): MaintainerScope<Row, Body> => it;

const related = ({ user, repository }: Creation) => ({
  userId: user ? (user.id ?? 0) : undefined,
  repositoryId: repository ? (repository.id ?? 0) : undefined,
});

export const maintainerScopes = {
  package: scope({
    operations: maintainerOf.package,
    listRel: "packageMaintainerList",
    resource: "PACKAGE_MAINTAINER",
    notFound: "error.packagemaintainer.notfound",
    rules: packageRules,
    store: packageMaintainerStore,
    patched: packageMaintainerPatched,
    body: ({ id, user, package_name: packageName, repository, deleted }): Sent<typeof packageMaintainer> => ({
      id,
      user,
      packageName,
      repository,
      deleted,
      description: null,
    }),
    requested: (body) => ({ ...related(body), packageName: body.packageName ?? "" }),
    place: ({ id, technology }, { packageName = "" }) => ({
      repository_id: id,
      package_name: packageName,
      normalized_name: formatOf(technology).normalizeName(packageName),
    }),
    /** The other user's role is checked, but a record stays with its user. */
    holder: (before) => before.user_id,
    phrase: (row) => `${row.package_name} in ${row.repository.name}`,
  }),
  repository: scope({
    operations: maintainerOf.repository,
    listRel: "repositoryMaintainerList",
    resource: "REPOSITORY_MAINTAINER",
    notFound: "error.repositorymaintainer.notfound",
    rules: repositoryRules,
    store: repositoryMaintainerStore,
    patched: repositoryMaintainerPatched,
    body: ({ id, user, repository, deleted }): Sent<typeof repositoryMaintainer> => ({
      id,
      user,
      repository,
      deleted,
      description: null,
    }),
    requested: related,
    place: ({ id }) => ({ repository_id: id }),
    holder: (_before, wanted) => wanted.id,
    phrase: (row) => `the repository ${row.repository.name}`,
  }),
};
