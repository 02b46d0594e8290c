import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { apiPrefix } from "@packhouse/contract/operation";
import type { RoleName } from "@packhouse/contract/roles";
import { type Technology, technologyPath } from "@packhouse/contract/technology";
import type { Logger } from "pino";
import { z } from "zod";
import { createPackhouse, type Packhouse } from "../app/app.ts";
import { findPdfBuilder, type PdfBuilder } from "../features/manuals/pdf-manual.ts";
import { createRepository } from "../features/repositories/create-repository.ts";
import type { RepositoryProperties } from "../features/repositories/repository.ts";
import type { Repository } from "../features/repositories/store.ts";
import type { ReviewDeps } from "../features/review/deps.ts";
import type { Actor } from "../http/actor.ts";
import { createPerson } from "../identity/accounts/accounts-of-settings.ts";
import { hashPassword } from "../identity/passwords/password.ts";
import { startSession } from "../identity/sessions/start-session.ts";
import { actorById } from "../identity/sign-in/authenticate.ts";
import { generateTokenValue, hashOfToken } from "../identity/tokens/access-token-value.ts";
import { type Clock, systemClock } from "../platform/clock.ts";
import { wrongPackageCounts } from "../platform/db/counts-upkeep-store.ts";
import { type OpenDatabase, openDatabase, type SentStatement } from "../platform/db/database.ts";
import { createLog } from "../platform/observability/log.ts";
import { readSettings, type Settings } from "../platform/settings/settings.ts";
import type { ObjectStorage } from "../platform/storage/storage.ts";
import { createWorkers, type Workers } from "../platform/workers/pool.ts";
import { checkAnswer } from "./described-answers.ts";
import {
  administratorOf,
  bucketEnvironment,
  connectionTo,
  databaseAddress,
  dropDatabase,
  type EmptyPlace,
  makeDatabase,
  openTestStorage,
  testBackends,
  writeObject,
} from "./servers/test-backends.ts";
import type { SmallPackage } from "./small-packages.ts";

const logLevel = z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]);

const envelope = z.object({
  status: z.string(),
  code: z.number(),
  message: z.string().nullable(),
  messageCode: z.string().nullable(),
  data: z.unknown(),
});

/** An answer of the API as tests look at it: the HTTP status, and the envelope taken apart. */
export interface TestAnswer {
  http: number;
  status: string;
  messageCode: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape and assert what they find
  data: any;
  headers: Headers;
}

export interface Client {
  get(path: string): Promise<TestAnswer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  patch(path: string, operations: unknown): Promise<TestAnswer>;
  delete(path: string): Promise<TestAnswer>;
  /** Uploads a file with parameters as form fields. */
  upload(
    technology: Technology,
    file: { fileName: string; bytes: Uint8Array; type?: string },
    fields: Record<string, string>,
  ): Promise<TestAnswer>;
  /** Any request, signed in. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** The header that signs this user in. */
  authorization: string;
}

export interface TestPackhouse extends AsyncDisposable {
  deps: ReviewDeps;
  packhouse: Packhouse;
  storage: ObjectStorage;
  /** Where the storage keeps objects, for tests that look at files next to it. */
  bytesLieIn: "folder" | "bucket";
  /** Environment variables for another process with the same database and storage. */
  environment: Record<string, string>;
  /** Writes an object as the product never does: overwrites existing ones, and ignores the digest in the name. */
  writeObject(digest: string, bytes: Uint8Array): Promise<void>;
  /** Name of its database. */
  database: string;
  /** Such as `http://127.0.0.1:40123`. */
  address: string;
  /** For code that uses the same database in addition to the product. */
  pool: OpenDatabase["pool"];
  /** Removes jobs of a repository, such as the one that renders it some seconds after a change, in case that was lost. */
  removeJobsOf(repository: { id: number }): Promise<void>;
  /** The API as a user sees it; users are created by `given.person`. `admin` always exists. */
  as(person: { id: number }): Promise<Client>;
  /** The same, signed in by password, for calls that access tokens may not make. */
  bySession(person: { id: number }): Promise<Client>;
  anonymous: Client;
  admin: Actor;
  given: {
    person(login: string, role?: RoleName): Promise<Actor>;
    /** The same user with what has been recorded about them since. */
    again(person: { id: number }): Promise<Actor>;
    repository(technology: Technology, properties?: Partial<RepositoryProperties>): Promise<Repository>;
    repositoryMaintainer(person: { id: number }, repository: { id: number }): Promise<number>;
    packageMaintainer(
      person: { id: number },
      repository: { id: number },
      packageName: string,
      normalizedName?: string,
    ): Promise<number>;
    /** A new file that the client uploads; whether it waits depends on its user. */
    submission(
      client: Client,
      repository: string,
      file: SmallPackage,
    ): Promise<{ id: number; packageId: number; digest: string }>;
  };
  /** Another instance on the same database and storage, as a replica or after a restart; closed by the caller. */
  replica(settings?: Partial<Settings>): Promise<Packhouse>;
  /** Further connections to its database; closed by the caller. */
  openDatabase(): OpenDatabase;
  openDatabaseAsAdministrator(): OpenDatabase;
  /** SQL statements sent since its last call. */
  takeStatements(): SentStatement[];
  close(): Promise<void>;
}

export interface TestOptions {
  settings?: Partial<Settings>;
  clock?: Clock;
  log?: Logger;
  /** A folder with a built console; none by default. */
  consoleFolder?: string;
  /** How PDF manuals are built, instead of by the programs of this machine. */
  pdfBuilder?: PdfBuilder;
  /** Worker program, instead of the product's own. */
  workerProgram?: string;
  /** Workers of its own, for tests of the workers themselves; it has them with a program or settings of theirs, too. */
  ownWorkers?: boolean;
  /**
   * A separate folder by default. Uploads are in `storage/incoming/` below it until they are kept; packages in
   * `storage/objects/`, unless there is a bucket.
   */
  dataDir?: string;
  /** By default, that of the test backends. */
  bytesLieIn?: "folder";
  /** An instance, running or closed, to share database and storage with; its owner disposes of it after this one. */
  sharing?: Pick<TestPackhouse, "database" | "storage"> & Partial<Pick<EmptyPlace, "server">>;
}

export const replace = (path: string, value: unknown) => ({ op: "replace", path, value });

const cachedWorker = fileURLToPath(new URL("./cached-worker.ts", import.meta.url));

let started: Workers | undefined;
/**
 * Workers of all instances of a test process, since starting a process is slower than most tasks of tests. They end with
 * the process.
 */
function sharedWorkers(): Workers {
  started ??= createWorkers({
    settings: readSettings({}),
    watch: { taskEnded: () => undefined },
    log: createLog("silent"),
    program: cachedWorker,
  });
  const workers = started;
  return {
    run: workers.run,
    get waiting() {
      return workers.waiting;
    },
    close: async () => undefined,
  };
}

let found: Promise<PdfBuilder> | undefined;
/** How this machine builds PDF manuals, tried out once, since that takes several processes. */
const builderOfMachine = () => (found ??= findPdfBuilder());

let hashed: Promise<string> | undefined;
/** The hash of everyone's password, computed once, since hashing is slow by design. */
const hashOfPassword = () => (hashed ??= hashPassword("password"));

/** Starts the whole product on a separate database and storage. */
export async function startPackhouse(options: TestOptions = {}): Promise<TestPackhouse> {
  const { database: ownServer, ...backends } = testBackends();
  const bucket = options.bytesLieIn === "folder" ? undefined : backends.bucket;
  const server = options.sharing?.server ?? ownServer;
  const name = options.sharing?.database ?? (await makeDatabase(server, server.template));
  const folder = await mkdtemp(join(tmpdir(), "packhouse-test-"));

  const statements: SentStatement[] = [];
  const settings: Settings = {
    // On machines with R and LaTeX every upload would take seconds; tests of manuals enable them.
    ...readSettings({
      PACKHOUSE_GENERATE_MANUALS: "false",
      PACKHOUSE_PORT: "0",
      PACKHOUSE_LOG_LEVEL: "silent",
      // Tests share their process and the machine with other work.
      PACKHOUSE_OVERLOAD_EVENT_LOOP_DELAY_MS: "0",
      // Tests send more per minute than any user; those of the limits set their own.
      PACKHOUSE_LIMITS_CALLS_PER_USER: "0",
      PACKHOUSE_LIMITS_CALLS_PER_ADDRESS: "0",
      PACKHOUSE_LIMITS_UPLOADS_PER_USER: "0",
      PACKHOUSE_LIMITS_UPLOADS_PER_ADDRESS: "0",
    }),
    ...options.settings,
  };
  const openIt = (by = server) =>
    openDatabase(
      {
        ...connectionTo(by, name),
        max: settings["database.poolSize"],
        connectionTimeoutMillis: settings["database.waitMs"],
      },
      (statement) => statements.push(statement),
    );
  const database = openIt();
  const dataDir = options.dataDir ?? folder;
  const place = { folder: join(dataDir, "storage"), bucket, name };
  const storage = options.sharing?.storage ?? (await openTestStorage(place));
  const clock = options.clock ?? systemClock;
  const log = options.log ?? createLog(logLevel.parse(process.env.PACKHOUSE_TEST_LOG ?? "silent"));
  const ownWorkers =
    options.ownWorkers === true ||
    options.workerProgram !== undefined ||
    Object.keys(options.settings ?? {}).some((name) => name.startsWith("workers."));
  const workers = ownWorkers ? { workerProgram: options.workerProgram ?? cachedWorker } : { workers: sharedWorkers() };
  const packhouse = await createPackhouse({
    settings,
    database,
    storage,
    clock,
    log,
    consoleFolder: options.consoleFolder ?? join(folder, "no-console"),
    pdfBuilder: options.pdfBuilder ?? (await builderOfMachine()),
    ...workers,
  });
  const address = await packhouse.listen();
  const { deps } = packhouse;

  const again = async ({ id }: { id: number }) => {
    const actor = await actorById(deps, id);
    if (!actor) throw new Error(`person ${id} cannot sign in`);
    return actor;
  };
  const adminRow = await deps.db
    .selectFrom("users")
    .select("id")
    .where("login", "=", "admin")
    .executeTakeFirstOrThrow();
  let counter = 0;

  const close = async () => {
    await packhouse.close();
    const wrong = await wrongPackageCounts(database.db);
    await database.close();
    if (!options.sharing) await dropDatabase(server, name);
    await rm(folder, { recursive: true, force: true });
    if (wrong.length > 0) throw new Error(`The counts of packages are wrong: ${JSON.stringify(wrong)}`);
  };
  return {
    deps,
    packhouse,
    storage,
    environment: {
      PACKHOUSE_DATA_DIR: dataDir,
      PACKHOUSE_DATABASE_URL: databaseAddress(name, server),
      ...(bucket === undefined ? {} : bucketEnvironment(bucket, name)),
    },
    writeObject: (digest, bytes) => writeObject(place, digest, bytes),
    bytesLieIn: bucket === undefined ? "folder" : "bucket",
    database: name,
    pool: database.pool,
    async removeJobsOf({ id }) {
      await database.pool.query("delete from jobs.job where data = $1", [{ repositoryId: id }]);
    },
    address,
    admin: await again(adminRow),
    anonymous: client(address, ""),
    async as({ id }) {
      // A token instead of a password: hashing a password for every call would be the slowest part of every test.
      const value = generateTokenValue();
      const now = clock();
      await deps.db
        .insertInto("access_tokens")
        .values({
          user_id: id,
          name: "test",
          value_hash: hashOfToken(value),
          created_on: now,
          expires_on: new Date(now.getTime() + 86_400_000),
        })
        .execute();
      return client(address, `Bearer ${value}`);
    },
    async bySession(person) {
      const { login, name, email, role } = await again(person);
      const { session_epoch: sessionEpoch } = await deps.db
        .selectFrom("users")
        .select("session_epoch")
        .where("id", "=", person.id)
        .executeTakeFirstOrThrow();
      const token = await startSession(
        deps,
        { id: person.id, login, name, email, role, sessionEpoch },
        { address: "127.0.0.1", device: "test" },
      );
      return client(address, `Bearer ${token}`);
    },
    given: {
      async person(login, role = "user") {
        return again({
          id: await createPerson(deps.db, clock, {
            login,
            name: `Name of ${login}`,
            role,
            passwordHash: await hashOfPassword(),
            origin: "operator",
          }),
        });
      },
      again,
      repository(technology, properties = {}) {
        counter += 1;
        const name = properties.name ?? `${technologyPath[technology]}-repository-${counter}`;
        return createRepository(deps, { id: adminRow.id, name: "admin" }, technology, {
          name,
          publicationUri: `${address}/repo/${name}`,
          serverAddress: `${address}/repo/${name}`,
          published: true,
          requiresAuthentication: false,
          ...properties,
        });
      },
      async repositoryMaintainer(person, repository) {
        const row = await deps.db
          .insertInto("repository_maintainers")
          .values({ user_id: person.id, repository_id: repository.id })
          .returning("id")
          .executeTakeFirstOrThrow();
        return row.id;
      },
      async packageMaintainer(person, repository, packageName, normalizedName = packageName) {
        const row = await deps.db
          .insertInto("package_maintainers")
          .values({
            user_id: person.id,
            repository_id: repository.id,
            package_name: packageName,
            normalized_name: normalizedName,
          })
          .returning("id")
          .executeTakeFirstOrThrow();
        return row.id;
      },
      async submission(client, repository, file) {
        const { technology } = await deps.db
          .selectFrom("repositories")
          .select("technology")
          .where("name", "=", repository)
          .executeTakeFirstOrThrow();
        const { http, data } = await client.upload(technology, file, { repository });
        if (http !== 201) throw new Error(`the upload of ${file.fileName} was answered with ${http}`);
        const digest = createHash("sha256").update(file.bytes).digest("hex");
        return { id: data.id, packageId: data.packageBag.id, digest };
      },
    },
    async replica(others = {}) {
      const own = openIt();
      const consoleFolder = join(folder, "no-console");
      const backends = {
        settings: { ...settings, ...others },
        database: own,
        storage,
        clock,
        log,
        consoleFolder,
        pdfBuilder: await builderOfMachine(),
        ...workers,
      };
      const started = await createPackhouse(backends).catch(async (error: unknown) => {
        await own.close();
        throw error;
      });
      return {
        ...started,
        async close() {
          await started.close();
          await own.close();
        },
      };
    },
    openDatabase: () => openIt(),
    openDatabaseAsAdministrator: () => openIt(administratorOf(server)),
    takeStatements: () => statements.splice(0),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function client(address: string, authorization: string): Client {
  const request = (path: string, init: RequestInit = {}) =>
    fetch(path.startsWith("http") ? path : address + path, {
      ...init,
      headers: { ...(authorization ? { authorization } : {}), ...init.headers },
    });
  const call = async (path: string, init: RequestInit): Promise<TestAnswer> => {
    const response = await request(path.startsWith("/api") ? path : apiPrefix + path, init);
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    const body: unknown = isJson ? await response.json() : undefined;
    if (!isJson) await response.arrayBuffer();
    const parsed =
      body === undefined
        ? { status: "", code: response.status, messageCode: null, data: null, message: null }
        : envelope.parse(body);
    checkAnswer(init.method ?? "GET", response.url, response.status, body);
    return {
      http: response.status,
      status: parsed.status,
      messageCode: parsed.messageCode,
      data: parsed.data,
      headers: response.headers,
    };
  };
  const json = (method: string, type: string, body: unknown): RequestInit => ({
    method,
    headers: { "content-type": type },
    body: JSON.stringify(body),
  });
  return {
    authorization,
    request,
    get: (path) => call(path, {}),
    post: (path, body, headers = {}) => {
      const init = json("POST", "application/json", body);
      return call(path, { ...init, headers: { ...init.headers, ...headers } });
    },
    patch: (path, operations) => call(path, json("PATCH", "application/json-patch+json", operations)),
    delete: (path) => call(path, { method: "DELETE" }),
    upload(technology, file, fields) {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      form.append(
        "file",
        new Blob([new Uint8Array(file.bytes)], { type: file.type ?? "application/gzip" }),
        file.fileName,
      );
      return call(`/${technologyPath[technology]}/submissions`, { method: "POST", body: form });
    },
  };
}
