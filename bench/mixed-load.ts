import { apiPrefix } from "@packhouse/contract/operation";
import { signIn } from "@packhouse/server/testing/product";
import { type Replicas, startReplicas } from "@packhouse/server/testing/several-processes/replicas";
import { smallRPackage } from "@packhouse/server/testing/small-packages";
import type { Operation } from "./open-loop.ts";
import { inParallel } from "./organization.ts";
import { memoryOf } from "./process-memory.ts";

const password = "bench-password";
const repository = "loaded";
/** How many of the packages uploaded during the run stay in the repository. */
const newcomers = 50;
const packages = Number(process.env.BENCH_LOADED_PACKAGES ?? 200);

/** Replicas with a repository that is in use, and what its clients do all day. */
export interface LoadedProduct extends AsyncDisposable {
  operations: Operation[];
  /** Mebibytes of the server processes together, and of the database. */
  memory(): Promise<{ servers: number; database: number }>;
}

export async function startLoaded(count: number): Promise<LoadedProduct> {
  const replicas = await startReplicas(count, {
    PACKHOUSE_ADMIN_PASSWORD: password,
    PACKHOUSE_PEOPLE: JSON.stringify([{ login: "uploader", password }]),
    PACKHOUSE_GENERATE_MANUALS: "false",
    PACKHOUSE_OVERLOAD_EVENT_LOOP_DELAY_MS: "1000",
    // One user and one address stand for all that use the server.
    PACKHOUSE_LIMITS_CALLS_PER_USER: "0",
    PACKHOUSE_LIMITS_CALLS_PER_ADDRESS: "0",
    PACKHOUSE_LIMITS_UPLOADS_PER_USER: "0",
    PACKHOUSE_LIMITS_UPLOADS_PER_ADDRESS: "0",
  });
  try {
    return { ...(await filled(replicas)), [Symbol.asyncDispose]: () => replicas.stop() };
  } catch (error) {
    await replicas.stop();
    throw error;
  }
}

async function filled(replicas: Replicas): Promise<Omit<LoadedProduct, typeof Symbol.asyncDispose>> {
  const administrator = await signIn(replicas, "admin", password);
  const uploader = await signIn(replicas, "uploader", password);
  await administrator.createRepository("R", repository);
  const names = Array.from({ length: packages }, (_unused, index) => `filler${index}x`);
  await inParallel(names, 3, async (name) => {
    const file = await smallRPackage(name, "1.0.0");
    await administrator.upload("R", repository, file);
  });

  const read = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(replicas.address + path, init);
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  };
  const folder = `/repo/${repository}/src/contrib`;
  const signedIn = { headers: { authorization: `Bearer ${administrator.token}` } };
  const waiting: { submission: number; package: number }[] = [];
  const accepted: number[] = [];
  let uploads = 0;
  const upload = async () => {
    uploads += 1;
    const file = await smallRPackage(`newcomer${uploads}x`, "1.0.0");
    const { id, packageBag } = await uploader.upload("R", repository, file);
    waiting.push({ submission: id, package: packageBag.id });
  };
  let installs = 0;
  return {
    operations: [
      { name: "index", weight: 50, run: () => read(`${folder}/PACKAGES.gz`) },
      {
        name: "install",
        weight: 20,
        async run() {
          installs += 1;
          await read(`${folder}/PACKAGES.gz`);
          await read(`${folder}/filler${installs % packages}x_1.0.0.tar.gz`);
        },
      },
      { name: "list", weight: 24, run: () => read(`${apiPrefix}/packages?size=20`, signedIn) },
      { name: "upload", weight: 3, run: upload },
      {
        name: "accept",
        weight: 3,
        async run() {
          const next = waiting.shift();
          if (!next) return;
          await administrator.accept("R", next.submission);
          // The repository keeps its size, so that the work does not grow.
          accepted.push(next.package);
          const oldest = accepted.length > newcomers ? accepted.shift() : undefined;
          if (oldest === undefined) return;
          await administrator.call("PATCH", `/r/packages/${oldest}`, [
            { op: "replace", path: "/deleted", value: true },
          ]);
        },
      },
    ],
    async memory() {
      const servers = replicas.running.flatMap(({ process: { pid } }) => pid ?? []);
      return { servers: memoryOf(servers), database: memoryOf(await replicas.databaseProcesses()) };
    },
  };
}
