import { type MessageCode, messages } from "@packhouse/contract/messages";
import { type OperationName, operations } from "@packhouse/contract/operations";
import { may, mayTry, type PermissionName } from "@packhouse/contract/permissions";
import type { RoleName } from "@packhouse/contract/roles";
import { type Technology, technologyPath } from "@packhouse/contract/technology";
import type { Repository } from "../../features/repositories/store.ts";
import { type Client, replace, type TestAnswer, type TestPackhouse } from "../packhouse.ts";
import { codeOfApp } from "../second-factors/authenticator-app.ts";
import type { Person } from "./people.ts";
import { type EventState, eventStates, packageStates, type RecordMakers, type TargetRecord } from "./records.ts";

/** One way to make a call. */
export interface Variant {
  name: string;
  send(client: Client, record: TargetRecord, state: string): Promise<TestAnswer>;
  /** The status that the rules require. */
  expected(person: Person, state: string, record: TargetRecord): number;
}

/** How the matrix makes the calls of one route. */
export interface Calls {
  /** The states in which the record of the call may be; one state for calls without a record. */
  states: readonly string[];
  /** Absent for calls without a record. `own` stands for records of the caller. */
  make?: (state: string, person: Person) => Promise<TargetRecord>;
  variants: Variant[];
}

/** The record that calls are about. */
type Target = Required<Pick<Calls, "states" | "make">>;

type Outcome = number | ((state: string, person: Person) => number);

interface Rule {
  /** Who sees that the record exists; everyone by default. */
  visible?: (state: string, person: Person) => boolean;
  /** The rule on the record, if it differs from the route's. */
  permission?: PermissionName;
  allowed?: (person: Person, state: string) => boolean;
  outcome: Outcome;
}

const admin = (person: Person) => person.caller.role === "admin";
const gone = (state: string) => ["deleted", "rejected", "cancelled"].includes(state);
const elsewhere = "of the other technology";

/** Who finds an event: one that is not in a caller's list cannot be found by its id either. */
function seesEvent(state: string, person: Person, purged: boolean): boolean {
  if (admin(person)) return purged || state !== "purged";
  switch (
    state as EventState // the states of this call
  ) {
    case "own":
      return true;
    case "own, about another account":
      return person.caller.role !== "user";
    case "about an account":
    case "about a token":
    case "purged":
      return false;
    case "about the repository":
    case "about a repository maintainer":
    case "about the deleted package":
      return seesItsRepository(person) && state !== "about the deleted package";
    case "about the package":
    case "about the submission":
      return seesItsRepository(person) || person.relation.maintainsPackage === true;
  }
}
const seesItsRepository = ({ relation }: Person): boolean => relation.maintainsRepository === true;

/** The order of refusals: authentication, role, existence of the record, permission on the record, state. */
function expectation(route: OperationName, rule: Rule): Variant["expected"] {
  return (person, state, record) => {
    if (person.out) return 401;
    if (!mayTry(operations[route].permission, person.caller)) return 403;
    if (state === elsewhere || rule.visible?.(state, person) === false) return 404;
    const relation = { ...person.relation, self: record.ownerId === person.id };
    if (
      !(rule.allowed?.(person, state) ?? may(rule.permission ?? operations[route].permission, person.caller, relation))
    )
      return 403;
    return typeof rule.outcome === "number" ? rule.outcome : rule.outcome(state, person);
  };
}

/** Calls of every route of the contract: a route that is missing here does not compile. */
export function callsOf(
  it: TestPackhouse,
  records: RecordMakers,
  repositories: Record<Technology, Repository>,
): Record<OperationName, Calls> {
  const call = (route: OperationName, rule: Rule, body?: unknown, name = ""): Variant => {
    const [method = "", path = ""] = route.split(" ");
    return {
      name,
      send: (client, { id, fileName = "" }) => {
        const address = path.replace(":id", String(id)).replace(":file", fileName);
        if (method === "GET") return client.get(address);
        if (method === "DELETE") return client.delete(address);
        return method === "POST" ? client.post(address, body ?? {}) : client.patch(address, body);
      },
      expected: expectation(route, rule),
    };
  };
  const about = (route: OperationName, target: Target, rule: Rule, body?: unknown): Calls => ({
    ...target,
    variants: [call(route, rule, body)],
  });
  const plain = (route: OperationName, outcome: Outcome = 200, body?: unknown): Calls => ({
    states: ["-"],
    variants: [call(route, { outcome }, body)],
  });
  const built = (route: OperationName, rule: Rule, send: (client: Client) => Promise<TestAnswer>): Calls => ({
    states: ["-"],
    variants: [{ name: "", send, expected: expectation(route, rule) }],
  });

  /** A patch by state, in addition to the one that deletes. */
  const patches = (
    route: OperationName,
    change: (state: string) => object,
    rule: Rule,
    deletion?: Outcome,
  ): Variant[] => {
    const variants: Variant[] = [
      {
        name: "change",
        send: (client, record, state) => call(route, rule, [change(state)]).send(client, record, state),
        expected: expectation(route, rule),
      },
    ];
    if (deletion !== undefined)
      variants.push(call(route, { ...rule, outcome: deletion }, [replace("/deleted", true)], "delete"));
    return variants;
  };
  const restore = replace("/deleted", false);

  const ownOr =
    (make: (state: string) => Promise<TargetRecord>, own: (person: Person) => Promise<TargetRecord>): Target["make"] =>
    (state, person) =>
      state === "own" ? own(person) : make(state);
  const people = {
    states: ["live", "inactive", "deleted", "own"],
    make: ownOr(records.person, async ({ id }) => ({ id, ownerId: id })),
  };
  const tokens = {
    states: ["live", "inactive", "own"],
    make: ownOr(
      async (state) => records.accessToken((await records.person("live")).id, state),
      ({ id }) => records.accessToken(id === 0 ? repositories.R.id : id, "live"),
    ),
  };
  const factors = {
    states: ["live", "own"],
    make: ownOr(
      async () => records.secondFactor((await records.person("live")).id),
      // Anonymous callers have none; the record is then another user's.
      ({ id }) => records.secondFactor(id === 0 ? it.admin.id : id),
    ),
  };
  const sessions = {
    states: ["live", "own"],
    make: ownOr(
      async () => records.session((await records.person("live")).id),
      ({ id }) => records.session(id === 0 ? it.admin.id : id),
    ),
  };

  /** Calls that end a session must not end the one used by the other calls. */
  const ownSession = async (_state: string, person: Person) =>
    person.out ? { id: person.id } : { id: person.id, client: await it.bySession(person) };
  /** Another user with the same role, since a new password ends all sessions. */
  const ownClient = async (_state: string, person: Person) =>
    person.out || person.caller.byAccessToken
      ? { id: person.id }
      : {
          id: person.id,
          client: await it.bySession(await it.given.person(`changes-${records.fresh()}`, person.caller.role)),
        };

  const repositoryStates = ["live", "unpublished", "deleted", elsewhere];
  const seesRepository = (state: string, person: Person) => state !== "deleted" || admin(person);
  const other: Record<Technology, Technology> = { R: "Python", Python: "R" };
  const repositoryOf = (technology: Technology) => (state: string) =>
    state === elsewhere ? records.repository(other[technology])("live") : records.repository(technology)(state);
  const repositoryCalls = (technology: Technology) => {
    const path = technologyPath[technology];
    const target = { states: repositoryStates, make: repositoryOf(technology) };
    const visible = seesRepository;
    const sync = "synchronizeRepository";
    return {
      list: plain(`GET /${path}/repositories`),
      read: about(`GET /${path}/repositories/:id`, target, { visible, outcome: 200 }),
      create: built(`POST /${path}/repositories`, { outcome: 201 }, (client) => {
        const name = `${path}-new-${records.fresh()}`;
        const address = `${it.address}/repo/${name}`;
        return client.post(`/${path}/repositories`, { name, publicationUri: address, serverAddress: address });
      }),
      edit: {
        ...target,
        variants: patches(
          `PATCH /${path}/repositories/:id`,
          (state) => (state === "deleted" ? restore : replace("/requiresAuthentication", true)),
          { visible, outcome: 200 },
          (state) => (state === "deleted" ? 405 : 200),
        ),
      },
      purge: about(`DELETE /${path}/repositories/:id`, target, { outcome: 204 }),
      republish: about(`POST /${path}/repositories/:id/republish`, target, {
        visible,
        outcome: (state) => (state === "deleted" ? 405 : 200),
      }),
      synchronize: about(`POST /${path}/repositories/:id/synchronize-mirrors`, target, {
        visible,
        permission: sync,
        outcome: (state) => (state === "deleted" ? 405 : 204),
      }),
      status: about(`GET /${path}/repositories/:id/synchronization-status`, target, {
        visible,
        permission: sync,
        outcome: 404,
      }),
    };
  };

  const allPackageStates = [...packageStates, elsewhere];
  const seesPackage = (state: string, person: Person) => !gone(state) || admin(person);
  const packageOf = (technology: Technology) => (state: string) =>
    state === elsewhere ? records.package(other[technology])("accepted") : records.package(technology)(state);
  const packageCalls = (technology: Technology) => {
    const path = technologyPath[technology];
    const target = { states: allPackageStates, make: packageOf(technology) };
    const content = (route: OperationName, outcome: number) =>
      about(route, target, {
        visible: (state) => !gone(state),
        allowed: ({ caller, relation }, state) => state !== "waiting" || may("readWaitingPackage", caller, relation),
        outcome,
      });
    return {
      list: plain(`GET /${path}/packages`),
      read: about(`GET /${path}/packages/:id`, target, { visible: seesPackage, outcome: 200 }),
      edit: {
        ...target,
        variants: patches(
          `PATCH /${path}/packages/:id`,
          (state) => (gone(state) ? restore : replace("/active", state !== "accepted")),
          {
            visible: seesPackage,
            outcome: (state) => (["accepted", "inactive", "deleted"].includes(state) ? 200 : 422),
          },
          (state) => (gone(state) ? 405 : 200),
        ),
      },
      purge: about(`DELETE /${path}/packages/:id`, target, {
        outcome: (state) => (gone(state) ? 204 : 404),
      }),
      download: content(`GET /${path}/packages/:id/download/:file`, 200),
      content,
    };
  };

  const submissionStates = ["waiting", "accepted", "rejected", "cancelled", elsewhere];
  const submissionOf = (technology: Technology) => (state: string) =>
    state === elsewhere ? records.submission(other[technology])("waiting") : records.submission(technology)(state);
  const decision = (route: OperationName, asked: string, permission: PermissionName): Variant =>
    call(
      route,
      {
        // Requesting the current state requires the right to edit the package; it changes nothing and is refused as
        // such.
        allowed: ({ caller, relation }, state) =>
          may(asked.toLowerCase() === state ? "editPackage" : permission, caller, relation),
        outcome: (state) => (state === "waiting" ? 200 : 422),
      },
      [replace("/state", asked)],
      asked,
    );
  /** Each submission is answered in the response as a call for it alone would be. */
  const decidedTogether = (asked: string, permission: PermissionName): Variant => ({
    ...decision("POST /submissions/decisions", asked, permission),
    async send(client, { id }) {
      const answer = await client.post("/submissions/decisions", { decision: asked, submissions: [id] });
      if (answer.http !== 200) return answer;
      const [{ code }] = answer.data.results;
      return { ...answer, http: messages[code as MessageCode].status }; // the test checks it against the contract
    },
  });
  const submissionCalls = (technology: Technology) => {
    const path = technologyPath[technology];
    const target = { states: submissionStates, make: submissionOf(technology) };
    const edit = `PATCH /${path}/submissions/:id` as const;
    return {
      list: plain(`GET /${path}/submissions`),
      read: about(`GET /${path}/submissions/:id`, target, { outcome: 200 }),
      upload: built(`POST /${path}/submissions`, { outcome: 201 }, async (client) => {
        const { file, repository } = await records.upload(technology);
        return client.upload(technology, file, { repository });
      }),
      edit: {
        ...target,
        variants: [
          decision(edit, "ACCEPTED", "acceptSubmission"),
          decision(edit, "REJECTED", "rejectSubmission"),
          decision(edit, "CANCELLED", "cancelSubmission"),
        ],
      },
      purge: about(`DELETE /${path}/submissions/:id`, target, { outcome: 204 }),
    };
  };

  const [rRepositories, pythonRepositories] = [repositoryCalls("R"), repositoryCalls("Python")];
  const [rPackages, pythonPackages] = [packageCalls("R"), packageCalls("Python")];
  const [rSubmissions, pythonSubmissions] = [submissionCalls("R"), submissionCalls("Python")];
  // Of routes for both technologies: no record is "of the other technology".
  const ofAnyRepository = (route: OperationName) =>
    about(
      route,
      { states: repositoryStates.slice(0, 3), make: repositoryOf("R") },
      { visible: seesRepository, outcome: 200 },
    );
  const ofAnyPackage = (route: OperationName) =>
    about(route, { states: packageStates, make: packageOf("R") }, { visible: seesPackage, outcome: 200 });
  const anySubmission = { states: submissionStates.slice(0, 4), make: submissionOf("R") };
  /** Reviews can be read whatever was decided. */
  const review = (route: OperationName, outcome: number, query = ""): Calls => ({
    ...anySubmission,
    variants: [
      {
        ...call(route, { outcome }),
        send: (client, { id }) => client.get(route.slice("GET ".length).replace(":id", String(id)) + query),
      },
    ],
  });
  const comments = {
    states: ["live", "deleted", "own"],
    make: (state: string, { id }: Person) => records.comment(state === "own" && id !== 0 ? id : it.admin.id, state),
  };
  const commentRule = (outcome: number): Rule => ({
    visible: (state) => state !== "deleted",
    // Users who may no longer read the review leave it as it is.
    allowed: ({ caller, relation }, state) => state === "own" && may("readReview", caller, relation),
    outcome,
  });
  const packageMaintainers = { states: ["live", "deleted"], make: records.packageMaintainer };
  const repositoryMaintainers = { states: ["live", "deleted"], make: records.repositoryMaintainer };
  /** For a user without maintained packages. */
  const appointment = (route: OperationName, role: RoleName): Calls => ({
    states: ["-"],
    make: () => it.given.person(`appointed-${records.fresh()}`, role),
    variants: [
      {
        name: "",
        send: (client, { id }) =>
          client.post(route.slice("POST ".length), {
            user: { id },
            repository: { id: repositories.R.id },
            packageName: `appointed${id}`,
          }),
        expected: expectation(route, { outcome: 201 }),
      },
    ],
  });

  return {
    "GET /config": plain("GET /config"),
    "GET /r/config": plain("GET /r/config"),
    "GET /version": plain("GET /version"),
    "POST /check-server-address": plain("POST /check-server-address", 200, `${it.address}/repo/anywhere`),

    "GET /users": plain("GET /users"),
    "GET /users/roles": plain("GET /users/roles"),
    "GET /users/me": plain("GET /users/me"),
    "GET /users/:id": about("GET /users/:id", people, { outcome: 200 }),
    "PATCH /users/:id": {
      ...people,
      variants: [
        ...patches(
          "PATCH /users/:id",
          (state) => (state === "deleted" ? restore : replace("/active", state === "inactive")),
          { outcome: 200 },
          (state) => (state === "deleted" ? 405 : 200),
        ),
        call(
          "PATCH /users/:id",
          {
            // Only the deletion of a deleted account can be changed, by anyone.
            allowed: (person, state) =>
              admin(person) && state !== "own" && (state === "deleted" || !person.caller.byAccessToken),
            outcome: (state) => (state === "deleted" ? 405 : 200),
          },
          [replace("/roleId", 4)],
          "role",
        ),
      ],
    },
    "POST /users/me/password": {
      states: ["own"],
      make: ownClient,
      variants: [
        {
          name: "",
          send: (client, record) =>
            (record.client ?? client).post("/users/me/password", {
              currentPassword: "password",
              newPassword: `a new password ${records.fresh()}`,
            }),
          expected: expectation("POST /users/me/password", { outcome: 200 }),
        },
      ],
    },
    "POST /users/:id/password-link": about("POST /users/:id/password-link", people, {
      outcome: (state) => (state === "deleted" ? 405 : 200),
    }),
    "POST /users/:id/temporary-password": about("POST /users/:id/temporary-password", people, {
      outcome: (state) => (state === "deleted" ? 405 : 200),
    }),
    "GET /user-settings/:id": about("GET /user-settings/:id", { ...people, states: ["live", "own"] }, { outcome: 200 }),
    "PATCH /user-settings/:id": about(
      "PATCH /user-settings/:id",
      { ...people, states: ["live", "own"] },
      { outcome: 200 },
      [replace("/theme", "light")],
    ),

    "GET /sessions": plain("GET /sessions"),
    "GET /sessions/:id": about("GET /sessions/:id", sessions, { outcome: 200 }),
    "DELETE /sessions/:id": about("DELETE /sessions/:id", sessions, { outcome: 204 }),
    "DELETE /users/:id/sessions": about(
      "DELETE /users/:id/sessions",
      { ...people, states: ["live", "inactive", "own"] },
      {
        outcome: 204,
      },
    ),
    "POST /logout": {
      states: ["own"],
      make: ownSession,
      variants: [
        {
          name: "",
          send: (client, record) => (record.client ?? client).post("/logout", undefined),
          expected: expectation("POST /logout", { outcome: 204 }),
        },
      ],
    },

    "GET /access-tokens": plain("GET /access-tokens"),
    "POST /access-tokens": plain("POST /access-tokens", 200, { name: "new", lifetime: "5" }),
    "GET /access-tokens/:id": about("GET /access-tokens/:id", tokens, { outcome: 200 }),
    "PATCH /access-tokens/:id": {
      ...tokens,
      variants: patches("PATCH /access-tokens/:id", () => replace("/name", "renamed"), {
        outcome: (state) => (state === "inactive" ? 422 : 200),
      }),
    },
    "DELETE /access-tokens/:id": about("DELETE /access-tokens/:id", tokens, {
      outcome: 204,
    }),

    "GET /second-factors": plain("GET /second-factors"),
    "POST /second-factors/enrollment": plain("POST /second-factors/enrollment", 200, {
      method: "totp",
      password: "password",
    }),
    "POST /second-factors": built("POST /second-factors", { outcome: 201 }, async (client) => {
      const started = await client.post("/second-factors/enrollment", { method: "totp", password: "password" });
      const { continuation, totp } = started.data ?? { continuation: "none", totp: null };
      const code = totp === null ? "000000" : codeOfApp(totp.secret, it.deps.clock());
      return client.post("/second-factors", { continuation, name: "phone", code });
    }),
    "PATCH /second-factors/:id": about("PATCH /second-factors/:id", factors, { outcome: 200 }, [
      replace("/name", "renamed"),
    ]),
    "POST /second-factors/:id/removal": about(
      "POST /second-factors/:id/removal",
      factors,
      { outcome: 204 },
      { password: "password" },
    ),
    "POST /second-factors/recovery-codes": about(
      "POST /second-factors/recovery-codes",
      { ...factors, states: ["own"] },
      { outcome: 200 },
      { password: "password" },
    ),
    "POST /users/:id/reset-second-factors": about("POST /users/:id/reset-second-factors", people, { outcome: 204 }),

    "GET /repositories": plain("GET /repositories"),
    "GET /repositories/:id": ofAnyRepository("GET /repositories/:id"),
    "GET /repositories/:id/snapshots": ofAnyRepository("GET /repositories/:id/snapshots"),
    "GET /repositories/:id/mirrors": ofAnyRepository("GET /repositories/:id/mirrors"),
    "GET /r/repositories": rRepositories.list,
    "GET /r/repositories/:id": rRepositories.read,
    "GET /r/repositories/bad-endpoint": plain("GET /r/repositories/bad-endpoint", 500),
    "POST /r/repositories": rRepositories.create,
    "PATCH /r/repositories/:id": rRepositories.edit,
    "DELETE /r/repositories/:id": rRepositories.purge,
    "POST /r/repositories/:id/republish": rRepositories.republish,
    "POST /r/repositories/:id/synchronize-mirrors": rRepositories.synchronize,
    "GET /r/repositories/:id/synchronization-status": rRepositories.status,
    "GET /python/repositories": pythonRepositories.list,
    "GET /python/repositories/:id": pythonRepositories.read,
    "POST /python/repositories": pythonRepositories.create,
    "PATCH /python/repositories/:id": pythonRepositories.edit,
    "DELETE /python/repositories/:id": pythonRepositories.purge,
    "POST /python/repositories/:id/republish": pythonRepositories.republish,
    "POST /python/repositories/:id/synchronize-mirrors": pythonRepositories.synchronize,
    "GET /python/repositories/:id/synchronization-status": pythonRepositories.status,

    "GET /packages": plain("GET /packages"),
    "GET /packages/:id": ofAnyPackage("GET /packages/:id"),
    "GET /packages/:id/dependencies": ofAnyPackage("GET /packages/:id/dependencies"),
    "GET /r/packages": rPackages.list,
    "GET /r/packages/:id": rPackages.read,
    "PATCH /r/packages/:id": rPackages.edit,
    "DELETE /r/packages/:id": rPackages.purge,
    "GET /r/packages/:id/download/:file": rPackages.download,
    "GET /r/packages/:id/manual": rPackages.content("GET /r/packages/:id/manual", 404),
    "GET /r/packages/:id/manual.html": rPackages.content("GET /r/packages/:id/manual.html", 404),
    "GET /r/packages/:id/vignettes": rPackages.content("GET /r/packages/:id/vignettes", 200),
    "GET /r/packages/:id/vignettes/:file": rPackages.content("GET /r/packages/:id/vignettes/:file", 404),
    "GET /python/packages": pythonPackages.list,
    "GET /python/packages/:id": pythonPackages.read,
    "PATCH /python/packages/:id": pythonPackages.edit,
    "DELETE /python/packages/:id": pythonPackages.purge,
    "GET /python/packages/:id/download/:file": pythonPackages.download,

    "GET /submissions": plain("GET /submissions"),
    "GET /submissions/:id": about("GET /submissions/:id", anySubmission, {
      outcome: 200,
    }),
    "GET /submissions/:id/inspection": review("GET /submissions/:id/inspection", 200),
    "GET /submissions/:id/comparison": review("GET /submissions/:id/comparison", 200, "?base=none"),
    "GET /submissions/:id/comparison/file": review(
      "GET /submissions/:id/comparison/file",
      200,
      "?path=DESCRIPTION&base=none",
    ),
    "GET /submissions/:id/file": review("GET /submissions/:id/file", 200, "?path=DESCRIPTION"),
    "GET /submissions/:id/impact": review("GET /submissions/:id/impact", 200),
    "GET /r/submissions": rSubmissions.list,
    "GET /r/submissions/:id": rSubmissions.read,
    "POST /r/submissions": rSubmissions.upload,
    "PATCH /r/submissions/:id": rSubmissions.edit,
    "DELETE /r/submissions/:id": rSubmissions.purge,
    "GET /python/submissions": pythonSubmissions.list,
    "GET /python/submissions/:id": pythonSubmissions.read,
    "POST /python/submissions": pythonSubmissions.upload,
    "PATCH /python/submissions/:id": pythonSubmissions.edit,
    "DELETE /python/submissions/:id": pythonSubmissions.purge,

    "GET /reviews": plain("GET /reviews"),
    "GET /submissions/:id/review": about("GET /submissions/:id/review", anySubmission, { outcome: 200 }),
    "POST /submissions/:id/decision": {
      ...anySubmission,
      variants: ["ACCEPTED", "REJECTED", "CHANGES"].map((asked) =>
        call(
          "POST /submissions/:id/decision",
          { outcome: (state) => (state === "waiting" ? 200 : 422) },
          { decision: asked, reason: "as agreed" },
          asked,
        ),
      ),
    },
    "POST /submissions/decisions": {
      ...anySubmission,
      variants: [
        decidedTogether("ACCEPTED", "acceptSubmission"),
        decidedTogether("REJECTED", "rejectSubmission"),
        decidedTogether("CANCELLED", "cancelSubmission"),
      ],
    },
    "GET /submissions/:id/comments": about("GET /submissions/:id/comments", anySubmission, { outcome: 200 }),
    "POST /submissions/:id/comments": about(
      "POST /submissions/:id/comments",
      anySubmission,
      { outcome: 201 },
      { text: "What is this for?" },
    ),
    "GET /review-comments/:id": about("GET /review-comments/:id", comments, {
      visible: (state) => state !== "deleted",
      outcome: 200,
    }),
    "PATCH /review-comments/:id": {
      ...comments,
      variants: [call("PATCH /review-comments/:id", commentRule(200), [replace("/text", "What does this do?")])],
    },
    "DELETE /review-comments/:id": about("DELETE /review-comments/:id", comments, commentRule(204)),
    "POST /submissions/:id/marks": about(
      "POST /submissions/:id/marks",
      anySubmission,
      { outcome: 200 },
      { path: "R/lots.R", sha256: "0".repeat(64), seen: true },
    ),
    "POST /submissions/:id/looking": about("POST /submissions/:id/looking", anySubmission, { outcome: 200 }),
    "POST /submissions/:id/assignment": about(
      "POST /submissions/:id/assignment",
      anySubmission,
      { outcome: (state) => (state === "waiting" ? 200 : 422) },
      { userId: it.admin.id },
    ),
    "GET /submissions/:id/checks": about("GET /submissions/:id/checks", anySubmission, { outcome: 200 }),
    "POST /submissions/:id/checks": about(
      "POST /submissions/:id/checks",
      anySubmission,
      { outcome: 201 },
      { name: "tests", state: "passed" },
    ),
    "POST /submissions/:id/assessment": about(
      "POST /submissions/:id/assessment",
      anySubmission,
      { outcome: 200 },
      { category: "low" },
    ),

    "GET /package-maintainers": plain("GET /package-maintainers"),
    "GET /package-maintainers/candidates": plain("GET /package-maintainers/candidates"),
    "GET /package-maintainers/:id": about("GET /package-maintainers/:id", packageMaintainers, {
      outcome: 200,
    }),
    "POST /package-maintainers": appointment("POST /package-maintainers", "packagemaintainer"),
    "PATCH /package-maintainers/:id": {
      ...packageMaintainers,
      variants: patches(
        "PATCH /package-maintainers/:id",
        (state) => (state === "deleted" ? restore : replace("/packageName", `renamed${records.fresh()}`)),
        { outcome: (state, person) => (state === "deleted" && !admin(person) ? 405 : 200) },
        (state) => (state === "deleted" ? 405 : 200),
      ),
    },
    "DELETE /package-maintainers/:id": about("DELETE /package-maintainers/:id", packageMaintainers, {
      outcome: (state) => (state === "deleted" ? 204 : 404),
    }),

    "GET /repository-maintainers": plain("GET /repository-maintainers"),
    "GET /repository-maintainers/:id": about("GET /repository-maintainers/:id", repositoryMaintainers, {
      outcome: 200,
    }),
    "POST /repository-maintainers": appointment("POST /repository-maintainers", "repositorymaintainer"),
    "PATCH /repository-maintainers/:id": {
      ...repositoryMaintainers,
      variants: patches(
        "PATCH /repository-maintainers/:id",
        (state) => (state === "deleted" ? restore : replace("/repository/id", repositories.Python.id)),
        { outcome: 200 },
        (state) => (state === "deleted" ? 405 : 200),
      ),
    },
    "DELETE /repository-maintainers/:id": about("DELETE /repository-maintainers/:id", repositoryMaintainers, {
      outcome: (state) => (state === "deleted" ? 204 : 404),
    }),

    "GET /events": plain("GET /events"),
    "GET /events/export": plain("GET /events/export"),
    "GET /events/:id": {
      states: eventStates,
      make: async (state, person) =>
        records.event(state as EventState, state.startsWith("own") && person.id !== 0 ? person.id : undefined), // one of the states above
      variants: [
        call("GET /events/:id", { visible: (state, person) => seesEvent(state, person, false), outcome: 200 }),
        {
          name: "with purged ones",
          send: (client, { id }) => client.get(`/events/${id}?purged=true`),
          expected: expectation("GET /events/:id", {
            visible: (state, person) => seesEvent(state, person, true),
            outcome: 200,
          }),
        },
      ],
    },
  };
}
