import { accessTokenList } from "@packhouse/contract/access-tokens";
import { eventList, eventType, resourceTypeFilter } from "@packhouse/contract/events";
import { candidateList, packageMaintainerList, repositoryMaintainerList } from "@packhouse/contract/maintainers";
import { packageList, pythonPackageList, rPackageList } from "@packhouse/contract/packages";
import { pythonRepositoryList, repositoryList, rRepositoryList } from "@packhouse/contract/repositories";
import { reviewLevel, reviewList } from "@packhouse/contract/review/release";
import { type RoleName, roleOfRank } from "@packhouse/contract/roles";
import { securityEventType, securityResourceFilter } from "@packhouse/contract/security-events";
import { sessionList } from "@packhouse/contract/sessions";
import { pythonSubmissionList, rSubmissionList, submissionList } from "@packhouse/contract/submissions";
import type { Technology } from "@packhouse/contract/technology";
import { userList } from "@packhouse/contract/users";
import {
  among,
  amongFolded,
  type FilterModel,
  from,
  isTrue,
  type ModeledList,
  modelOf,
  partOf,
  upTo,
} from "./list-model.ts";
import { type ListRows, listClock } from "./list-rows.ts";

/** The caller of a list. */
export interface ListCaller {
  id: number;
  role: RoleName;
}

function of<Row>(table: ReadonlyMap<number, Row>, id: number): Row {
  const row = table.get(id);
  if (!row) throw new Error(`there is no row ${id}`);
  return row;
}

type User = ListRows["users"] extends Map<number, infer Row> ? Row : never;
type Repository = ListRows["repositories"] extends Map<number, infer Row> ? Row : never;

/** The sorts by a record's fields, as sorts of the record that refers to it: `user.id`. */
const below = <Name extends string, Sorts extends object>(name: Name, sorts: Sorts) =>
  Object.fromEntries(Object.entries(sorts).map(([field, sort]) => [`${name}.${field}`, sort])) as {
    [Field in keyof Sorts & string as `${Name}.${Field}`]: Sorts[Field];
  }; // the same sorts by longer keys

/** Sorts by the fields of a user and a repository; `user` is short for `user.name`. */
const userSorts = <Row>(user: (row: Row) => User | null) => ({
  id: (row: Row) => user(row)?.id ?? null,
  name: (row: Row) => user(row)?.name ?? null,
  login: (row: Row) => user(row)?.login ?? null,
  email: (row: Row) => user(row)?.email ?? null,
});
const repositorySorts = <Row>(repository: (row: Row) => Repository) => ({
  id: (row: Row) => repository(row).id,
  name: (row: Row) => repository(row).name,
  publicationUri: (row: Row) => repository(row).publication_uri,
  published: (row: Row) => repository(row).published,
  requiresAuthentication: (row: Row) => repository(row).requires_authentication,
  technology: (row: Row) => repository(row).technology,
  lastPublicationSuccessful: (row: Row) => repository(row).last_publication_successful,
});

const someNames = ["Ada Fern", "Ada Fern,Cem", "ada fern", "Nobody"];
const someTechnologies = ["r", "PYTHON", "R,Python", "Rust"];
const partsOfNames = ["ad", "ÖZ", "é", "0%", "e_x", "nothing at all"];
const partsOfWords = ["GRID", "d_t", "0%m", ".", "nothing at all"];
const someRepositories = (tables: ListRows) => {
  const names = [...tables.repositories.values()].map(({ name }) => name);
  return [...names.slice(0, 4), names.slice(3, 8).join(","), `${names[0]?.toUpperCase()}`];
};
const days = ["2026-03-07", "2026-03-07T00:00:00Z", "2026-03-07T00:00:00.001Z"];

const packagesOf = (tables: ListRows) =>
  [...tables.submissions.values()].map((submission) => {
    const row = of(tables.packages, submission.package_id);
    return {
      ...row,
      submission,
      repository: of(tables.repositories, row.repository_id),
      responsible: of(tables.users, row.responsible_user_id),
      submitter: of(tables.users, submission.submitter_id),
      approver: submission.approver_id === null ? null : of(tables.users, submission.approver_id),
    };
  });
type Package = ReturnType<typeof packagesOf>[number];

function packageModel(
  tables: ListRows,
  list: typeof packageList | typeof rPackageList | typeof pythonPackageList,
  only?: Technology,
): ModeledList {
  const named = partOf((row: Package) => [row.name], partsOfWords);
  const user = userSorts((row: Package) => row.responsible);
  const repository = repositorySorts((row: Package) => row.repository);
  const submission = { id: (row: Package) => row.submission.id, state: (row: Package) => row.submission.state };
  return modelOf(
    list,
    packagesOf(tables).filter(({ technology }) => only === undefined || technology === only),
    {
      alike: only ? ["technology", "repository.technology"] : [],
      filters: {
        repository: among((row) => row.repository.name, someRepositories(tables)),
        deleted: isTrue((row) => row.deleted),
        submissionState: amongFolded((row) => row.submission.state, ["waiting", "ACCEPTED,Rejected", "lost"]),
        technology: amongFolded((row) => row.technology, someTechnologies),
        search: named,
        maintainer: among((row) => row.responsible.name, someNames),
        notMaintainedBy: {
          values: someNames,
          keeps: (row, value) => !value.split(",").includes(row.responsible.name),
        },
        origin: among(
          (row) => (row.mirror === null ? "upload" : "mirror"),
          ["upload", "mirror", "upload,mirror", "sea"],
        ),
        binary: isTrue((row) => row.kind === "binary"),
        // Only lists of one technology have it.
        ...("name" in list.filters ? { name: named } : {}),
      },
      sorts: {
        id: (row) => row.id,
        user: user.name,
        repository: repository.name,
        submission: submission.id,
        name: (row) => row.name,
        version: (row) => Number(row.version.slice(2)),
        source: (row) => `${row.repository.name}/${row.digest}/${row.file_name}`,
        active: (row) => row.active,
        deleted: (row) => row.deleted,
        technology: repository.technology,
        binary: (row) => row.kind === "binary",
        description: (row) => row.description,
        author: (row) => row.author,
        title: (row) => row.title,
        url: (row) => row.url,
        descriptionContentType: (row) => row.description_content_type,
        ...below("user", user),
        ...below("repository", repository),
        ...below("submission", submission),
      },
    },
  );
}

/** Whether this caller may decide about a waiting package, as docs/security.md has it. */
function mayDecide(tables: ListRows, { id, role }: ListCaller, row: Package): boolean {
  const maintains = {
    user: () => false,
    packagemaintainer: () =>
      [...tables.packageMaintainers.values()].some(
        (it) =>
          it.user_id === id &&
          !it.deleted &&
          it.repository_id === row.repository_id &&
          it.normalized_name === row.normalized_name,
      ),
    repositorymaintainer: () =>
      [...tables.repositoryMaintainers.values()].some(
        (it) => it.user_id === id && !it.deleted && it.repository_id === row.repository_id,
      ),
    admin: () => true,
  }[role];
  const waits = row.submission.state === "WAITING" && !row.deleted && row.submission.submitter_id !== id;
  return waits && (row.responsible_user_id === id || maintains());
}

function submissionModel(
  tables: ListRows,
  caller: ListCaller,
  list: typeof submissionList | typeof rSubmissionList | typeof pythonSubmissionList,
  only?: Technology,
): ModeledList {
  const rows = packagesOf(tables)
    .filter(({ technology }) => only === undefined || technology === only)
    .map((row) => ({ id: row.submission.id, row, submission: row.submission }));
  type Submission = (typeof rows)[number];
  const submitter = userSorts((it: Submission) => it.row.submitter);
  const approver = userSorts((it: Submission) => it.row.approver);
  const user = userSorts((it: Submission) => it.row.responsible);
  const repository = repositorySorts((it: Submission) => it.row.repository);
  const id = (it: Submission) => it.id;
  const name = (it: Submission) => it.row.name;
  const state = (it: Submission) => it.submission.state;
  return modelOf(list, rows, {
    alike: only ? ["technology", "packageBag.technology", "packageBag.repository.technology"] : [],
    filters: {
      state: amongFolded(state, ["waiting", "ACCEPTED,Rejected", "lost"]),
      technology: amongFolded((it) => it.row.technology, someTechnologies),
      repository: among((it) => it.row.repository.name, someRepositories(tables)),
      fromDate: from((it) => it.submission.created_on, days),
      toDate: upTo((it) => it.submission.created_on, days),
      search: partOf(
        (it) => [it.row.name, it.row.submitter.name, it.row.approver?.name ?? null],
        [...partsOfWords, ...partsOfNames],
      ),
      binary: isTrue((it) => it.row.kind === "binary"),
      assignedToMe: {
        values: ["true", "false"],
        keeps: (it, value) => value === "false" || mayDecide(tables, caller, it.row),
      },
    },
    sorts: {
      id,
      packageBag: name,
      submitter: submitter.name,
      approver: approver.name,
      changes: (it) => it.submission.changes,
      state,
      created: (it) => it.submission.created_on,
      technology: repository.technology,
      ...below("submitter", submitter),
      ...below("approver", approver),
      "packageBag.id": (it) => it.row.id,
      "packageBag.user": user.name,
      "packageBag.repository": repository.name,
      "packageBag.submission": id,
      "packageBag.name": name,
      "packageBag.version": (it) => Number(it.row.version.slice(2)),
      "packageBag.source": (it) => `${it.row.repository.name}/${it.row.digest}/${it.row.file_name}`,
      "packageBag.active": (it) => it.row.active,
      "packageBag.deleted": (it) => it.row.deleted,
      "packageBag.technology": repository.technology,
      "packageBag.binary": (it) => it.row.kind === "binary",
      ...below("packageBag.user", user),
      ...below("packageBag.repository", repository),
      ...below("packageBag.submission", { id, state }),
    },
  });
}

/** Waiting files that the caller may read, by the release that they are of. */
function reviewModel(tables: ListRows, caller: ListCaller): ModeledList {
  const files = packagesOf(tables)
    .filter((row) => row.submission.state === "WAITING" && !row.deleted)
    .filter((row) => row.submission.submitter_id === caller.id || mayDecide(tables, caller, row))
    .toSorted((a, b) => a.submission.id - b.submission.id);
  const releases = Map.groupBy(files, (row) => `${row.repository_id} ${row.normalized_name} ${row.version_key}`);
  const rows = [...releases.values()].flatMap((its) => {
    const [row] = its;
    if (!row) return [];
    const levels = its.map(({ submission }) => tables.levels.get(submission.id));
    const ranks = levels.map((level) => (level ? reviewLevel.options.indexOf(level) : -1));
    return {
      id: row.submission.id,
      row,
      risk: ranks.includes(-1) ? null : Math.max(...ranks),
      changesAsked: its.some(({ submission }) => tables.changesAsked.has(submission.id)),
      isAssigned: its.some(({ submission }) => tables.assignees.get(submission.id) === caller.id),
      decides: its.some((file) => mayDecide(tables, caller, file)),
      own: its.some(({ submission }) => submission.submitter_id === caller.id),
    };
  });
  return modelOf(reviewList, rows, {
    otherwise: ({ decides, own, changesAsked }, { mine }) =>
      mine === "true" ? (changesAsked ? own : decides) : decides,
    filters: {
      technology: amongFolded(({ row }) => row.technology, someTechnologies),
      repository: among(({ row }) => row.repository.name, someRepositories(tables)),
      level: amongFolded(
        ({ risk }) => (risk === null ? null : (reviewLevel.options[risk] ?? null)),
        ["clear", "WARNING,danger", "terrible"],
      ),
      search: partOf(({ row }) => [row.name, row.submitter.name], [...partsOfWords, ...partsOfNames]),
      mine: { values: ["true", "false"], keeps: () => true }, // by `otherwise`
      changesAsked: isTrue(({ changesAsked }) => changesAsked),
      assignedToMe: isTrue(({ isAssigned }) => isAssigned),
    },
    sorts: {
      id: ({ id }) => id,
      risk: ({ risk }) => risk,
      created: ({ row }) => row.submission.created_on,
      name: ({ row }) => row.name,
    },
  });
}

function repositoryModel(
  tables: ListRows,
  list: typeof repositoryList | typeof rRepositoryList | typeof pythonRepositoryList,
  only?: Technology,
): ModeledList {
  const maintainers = (row: Repository) =>
    [...tables.repositoryMaintainers.values()]
      .filter((it) => it.repository_id === row.id && !it.deleted)
      .map((it) => of(tables.users, it.user_id).name);
  const own = repositorySorts((row: Repository) => row);
  return modelOf(
    list,
    [...tables.repositories.values()].filter((row) => only === undefined || row.technology === only),
    {
      otherwise: (row, { deleted }) => deleted !== undefined || !row.deleted,
      alike: only ? ["technology", "deleted"] : ["deleted"],
      filters: {
        deleted: isTrue((row) => row.deleted),
        technology: amongFolded((row) => row.technology, someTechnologies),
        published: isTrue((row) => row.published),
        maintainer: {
          values: someNames,
          keeps: (row, value) => maintainers(row).some((name) => value.split(",").includes(name)),
        },
        name: {
          values: [...tables.repositories.values()].map(({ name }) => name),
          keeps: (row, value) => row.name === value,
        },
        search: partOf((row) => [row.name], ["NORTH", "h_", "h.", "nothing at all"]),
      },
      sorts: {
        id: own.id,
        version: (row) => row.version,
        publicationUri: own.publicationUri,
        name: own.name,
        serverAddress: (row) => row.server_address,
        deleted: (row) => row.deleted,
        published: own.published,
        synchronizing: (row) => tables.synchronizing.has(row.id),
        technology: own.technology,
        requiresAuthentication: own.requiresAuthentication,
        numberOfPackages: (row) =>
          [...tables.packages.values()].filter((it) => it.repository_id === row.id && !it.deleted).length,
        lastPublicationTimestamp: (row) => row.last_publication_on,
        lastModifiedTimestamp: (row) => row.last_modified_on,
        lastPublicationSuccessful: own.lastPublicationSuccessful,
      },
    },
  );
}

function userModel(tables: ListRows): ModeledList {
  const own = userSorts((row: User) => row);
  const rank = (row: User) => row.rank;
  const settings = (row: User) => tables.settings.get(row.id);
  return modelOf(userList, [...tables.users.values()], {
    filters: {
      role: among(
        (row) => roleOfRank(row.rank).name,
        ["user", "packagemaintainer,admin", "repositorymaintainer", "nobody", "nobody,user"],
      ),
      active: isTrue((row) => row.active),
      deleted: isTrue((row) => row.deleted),
      search: partOf((row) => [row.name, row.login, row.email], [...partsOfNames, "PERSON1", "post1", "ä"]),
    },
    sorts: {
      ...own,
      active: (row) => row.active,
      lastLoggedInOn: (row) => row.last_signed_in_on,
      createdOn: (row) => row.created_on,
      deleted: (row) => row.deleted,
      roleId: rank,
      role: rank,
      userSettings: (row) => settings(row)?.id ?? null,
      "userSettings.language": (row) => settings(row)?.language ?? null,
      "userSettings.theme": (row) => settings(row)?.theme ?? null,
      "userSettings.pageSize": (row) => settings(row)?.page_size ?? null,
    },
  });
}

function candidateModel(tables: ListRows): ModeledList {
  return modelOf(
    candidateList,
    [...tables.users.values()].filter((row) => row.active && !row.deleted && row.rank >= 1),
    {
      filters: { search: partOf((row) => [row.name, row.login, row.email], [...partsOfNames, "PERSON1", "post1"]) },
      sorts: userSorts((row) => row),
    },
  );
}

interface Maintainer {
  id: number;
  deleted: boolean;
  user: User;
  repository: Repository;
}

/** The sorts that both lists of maintainers have. */
function maintainerSorts() {
  const user = userSorts((row: Maintainer) => row.user);
  const repository = repositorySorts((row: Maintainer) => row.repository);
  return {
    id: (row: Maintainer) => row.id,
    user: user.name,
    repository: repository.name,
    deleted: (row: Maintainer) => row.deleted,
    ...below("user", user),
    ...below("repository", repository),
  };
}

function packageMaintainerModel(tables: ListRows, caller: ListCaller): ModeledList {
  const own = new Set(
    [...tables.repositoryMaintainers.values()]
      .filter((it) => it.user_id === caller.id && !it.deleted)
      .map((it) => it.repository_id),
  );
  const isAdmin = caller.role === "admin";
  return modelOf(
    packageMaintainerList,
    [...tables.packageMaintainers.values()]
      .filter((it) => isAdmin || own.has(it.repository_id))
      .map((it) => ({
        ...it,
        user: of(tables.users, it.user_id),
        repository: of(tables.repositories, it.repository_id),
      })),
    {
      otherwise: (row, { deleted }) => isAdmin || deleted !== undefined || !row.deleted,
      filters: {
        deleted: isTrue((row) => row.deleted),
        technology: amongFolded((row) => row.repository.technology, someTechnologies),
        repository: among((row) => row.repository.name, someRepositories(tables)),
        search: partOf((row) => [row.user.name, row.package_name], [...partsOfNames, ...partsOfWords]),
      },
      sorts: { ...maintainerSorts(), packageName: (row) => row.package_name },
    },
  );
}

function repositoryMaintainerModel(tables: ListRows): ModeledList {
  return modelOf(
    repositoryMaintainerList,
    [...tables.repositoryMaintainers.values()].map((it) => ({
      ...it,
      user: of(tables.users, it.user_id),
      repository: of(tables.repositories, it.repository_id),
    })),
    {
      filters: {
        deleted: isTrue((row) => row.deleted),
        resourceTechnology: amongFolded((row) => row.repository.technology, someTechnologies),
        search: partOf((row) => [row.user.name, row.repository.name], [...partsOfNames, "NORTH", "h_"]),
      },
      sorts: maintainerSorts(),
    },
  );
}

function accessTokenModel(tables: ListRows, caller: ListCaller): ModeledList {
  const seesAll = caller.role === "admin";
  const rows = [...tables.accessTokens.values()]
    .filter((it) => seesAll || it.user_id === caller.id)
    .map((it) => ({ ...it, user: of(tables.users, it.user_id) }));
  const user = userSorts((row: (typeof rows)[number]) => row.user);
  const id = (row: { id: number }) => row.id;
  return modelOf(accessTokenList, rows, {
    alike: ["deleted"],
    filters: {
      search: partOf((row) => [row.name], partsOfWords),
      active: isTrue((row) => row.active),
      expired: isTrue((row) => row.expires_on < listClock()),
      userLogin: onlyForAdministrators(caller, (row) => row.user.login, someLogins(tables)),
    },
    sorts: {
      id,
      name: (row) => row.name,
      value: id,
      creationDate: (row) => row.created_on,
      expirationDate: (row) => row.expires_on,
      active: (row) => row.active,
      deleted: () => false,
      user: user.name,
      lastUsed: (row) => row.last_used_on,
      ...below("user", user),
    },
  });
}

function sessionModel(tables: ListRows, caller: ListCaller): ModeledList {
  const now = listClock().getTime();
  const rows = [...tables.sessions.values()]
    .filter((it) => it.expires_on.getTime() > now && it.last_used_on.getTime() > now - 120 * 60_000)
    .map((it) => ({ ...it, user: of(tables.users, it.user_id) }));
  const logins = [...new Set([...tables.users.values()].map(({ login }) => login))];
  return modelOf(sessionList, rows, {
    // Administrators have to name the users; otherwise the list has the caller's own.
    always: caller.role === "admin" ? { userLogin: logins.join(",") } : {},
    otherwise: (row, { userLogin }) =>
      row.user_id === caller.id || (caller.role === "admin" && userLogin !== undefined),
    filters: { userLogin: onlyForAdministrators(caller, (row) => row.user.login, someLogins(tables)) },
    sorts: {
      id: (row) => row.id,
      device: (row) => row.device,
      address: (row) => row.address,
      created: (row) => row.created_on,
      lastUsed: (row) => row.last_used_on,
      expires: (row) => row.expires_on,
    },
  });
}

const someLogins = (tables: ListRows) => {
  const logins = [...tables.users.values()].map(({ login }) => login);
  return [...logins.slice(3, 9), logins.slice(8, 14).join(","), "nobody"];
};

/** Other users see their own, whatever they ask for. */
const onlyForAdministrators = <Row>(
  caller: ListCaller,
  column: (row: Row) => string,
  values: readonly string[],
): FilterModel<Row> => {
  const named = among(column, values);
  return { values, keeps: (row, value, asked) => caller.role !== "admin" || named.keeps(row, value, asked) };
};

/** A name of a type that does not exist empties the list. */
const typeAmong = <Row>(column: (row: Row) => string, known: readonly string[], values: readonly string[]) => ({
  values,
  keeps: (row: Row, value: string) =>
    value.split(",").every((name) => known.includes(name)) && value.split(",").includes(column(row)),
});

function eventModel(tables: ListRows): ModeledList {
  const events = [...tables.events.values()].map((it) => ({
    ...it,
    user: of(tables.users, it.user_id),
    repository: it.repository_id === null ? null : of(tables.repositories, it.repository_id),
  }));
  type Event = (typeof events)[number];
  /** Name and version of what an event is about; maintainers of packages have no version. */
  const subject = ({ resource_type: type, resource_id: id }: Event) => {
    if (type === "PACKAGE") return of(tables.packages, id);
    if (type === "SUBMISSION") return of(tables.packages, of(tables.submissions, id).package_id);
    if (type === "PACKAGE_MAINTAINER") return { name: of(tables.packageMaintainers, id).package_name };
    return undefined;
  };
  const isVersion = (it: ReturnType<typeof subject>, versions: string | undefined) =>
    versions === undefined || !it || !("version" in it) || versions.split(",").includes(it.version);
  const named = among((row: Event) => subject(row)?.name ?? null, ["gridwalk", "Kiln,Moss", "kiln", "nothing"]);
  return modelOf(eventList, events, {
    otherwise: (row, { purged }) => purged === "true" || !row.purged,
    alike: ["address", "security"],
    filters: {
      technology: amongFolded((row) => row.technology, someTechnologies),
      userName: {
        values: [...someNames, "PERSON5,cem"],
        keeps: ({ user }, value) =>
          value
            .toLowerCase()
            .split(",")
            .some((name) => name === user.name.toLowerCase() || name === user.login.toLowerCase()),
      },
      eventType: typeAmong((row) => row.event_type, eventType.options, ["update", "create,upload", "update,sing"]),
      resourceType: typeAmong((row) => resourceTypeFilter[row.resource_type], Object.values(resourceTypeFilter), [
        "package",
        "submission,user",
        "accessToken",
        "package,boat",
      ]),
      fromDate: from((row) => row.occurred_on, days),
      toDate: upTo((row) => row.occurred_on, days),
      packageName: {
        ...named,
        keeps: (row, value, asked) => named.keeps(row, value, asked) && isVersion(subject(row), asked.packageVersion),
      },
      packageVersion: {
        values: ["1.3", "1.1,1.5,1.7", "9"],
        with: { packageName: "gridwalk,Kiln,Moss,lattice" },
        keeps: () => true, // by packageName
      },
      repositoryName: {
        values: someRepositories(tables),
        // A repository filter alone requests its history, without reviews of submissions.
        keeps: (row, value, { packageName }) =>
          row.repository !== null &&
          value.split(",").includes(row.repository.name) &&
          (packageName !== undefined || row.resource_type !== "SUBMISSION"),
      },
      address: { values: ["192.0.2.7"], keeps: () => true },
      purged: { values: ["true", "false"], keeps: () => true },
      security: { values: ["false"], keeps: () => true },
    },
    sorts: { id: (row) => row.id, time: (row) => row.occurred_on },
  });
}

function securityEventModel(tables: ListRows): ModeledList {
  const events = [...tables.securityEvents.values()].map((it) => ({
    ...it,
    people: [it.user_id, it.account_id].flatMap((id) => (id === null ? [] : [of(tables.users, id)])),
    repository: it.repository_id === null ? null : of(tables.repositories, it.repository_id),
    package: it.package_id === null ? null : of(tables.packages, it.package_id),
  }));
  type Event = (typeof events)[number];
  const named = among((row: Event) => row.package?.name ?? null, ["gridwalk", "Kiln,Moss", "kiln", "nothing"]);
  return modelOf(eventList, events, {
    always: { security: "true" },
    alike: ["purged", "security"],
    filters: {
      technology: amongFolded((row) => row.technology, someTechnologies),
      userName: {
        values: [...someNames, "PERSON5,cem"],
        keeps: ({ people, subject }, value) =>
          value
            .toLowerCase()
            .split(",")
            .some((name) =>
              [subject, ...people.flatMap((it) => [it.name, it.login])].some((known) => known?.toLowerCase() === name),
            ),
      },
      eventType: typeAmong((row) => row.event_type, securityEventType.options, [
        "signIn",
        "download,tokenUse",
        "signIn,sing",
      ]),
      resourceType: typeAmong(
        (row) => securityResourceFilter[row.resource_type],
        Object.values(securityResourceFilter),
        ["package", "server,user", "package,boat"],
      ),
      fromDate: from((row) => row.occurred_on, days),
      toDate: upTo((row) => row.occurred_on, days),
      packageName: {
        ...named,
        keeps: (row, value, asked) =>
          named.keeps(row, value, asked) &&
          (asked.packageVersion?.split(",").includes(row.package?.version ?? "") ?? true),
      },
      packageVersion: {
        values: ["1.3", "1.1,1.5,1.7", "9"],
        with: { packageName: "gridwalk,Kiln,Moss,lattice" },
        keeps: () => true, // by packageName
      },
      repositoryName: among((row) => row.repository?.name ?? null, someRepositories(tables)),
      address: among((row) => row.address, ["192.0.2.7", "192.0.2.1,192.0.2.3", "192.0.2.99"]),
      purged: { values: ["true", "false"], keeps: () => true },
      security: { values: ["true"], keeps: () => true },
    },
    sorts: { id: (row) => row.id, time: (row) => row.occurred_on },
  });
}

/** Every list as this caller sees it. */
export const listModels = (tables: ListRows, caller: ListCaller): ModeledList[] => [
  packageModel(tables, packageList),
  packageModel(tables, rPackageList, "R"),
  packageModel(tables, pythonPackageList, "Python"),
  submissionModel(tables, caller, submissionList),
  submissionModel(tables, caller, rSubmissionList, "R"),
  submissionModel(tables, caller, pythonSubmissionList, "Python"),
  reviewModel(tables, caller),
  repositoryModel(tables, repositoryList),
  repositoryModel(tables, rRepositoryList, "R"),
  repositoryModel(tables, pythonRepositoryList, "Python"),
  userModel(tables),
  candidateModel(tables),
  packageMaintainerModel(tables, caller),
  repositoryMaintainerModel(tables),
  accessTokenModel(tables, caller),
  sessionModel(tables, caller),
  eventModel(tables),
  securityEventModel(tables),
];

/** Lists that depend on the caller, for callers with fewer rights. */
export const listModelsByCaller = {
  reviews: reviewModel,
  submissions: (tables: ListRows, caller: ListCaller) => submissionModel(tables, caller, submissionList),
  packageMaintainers: packageMaintainerModel,
  accessTokens: accessTokenModel,
  sessions: sessionModel,
};
