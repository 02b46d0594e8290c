import { apiPrefix } from "@packhouse/contract/operation";
import { signIn } from "@packhouse/server/testing/product";
import { type Replicas, startReplicas } from "@packhouse/server/testing/several-processes/replicas";
import { smallRPackage } from "@packhouse/server/testing/small-packages";
import { httpClient } from "./http-client.ts";
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

  // A load driver shares the processors with what it measures.
  const anyone = httpClient(replicas.address);
  const approver = httpClient(replicas.address, administrator.token);
  const submitter = httpClient(replicas.address, uploader.token);
  const folder = `/repo/${repository}/src/contrib`;
  const waiting: { submission: number; package: number }[] = [];
  const accepted: number[] = [];
  let uploads = 0;
  const upload = async () => {
    uploads += 1;
    const file = await smallRPackage(`newcomer${uploads}x`, "1.0.0");
    waiting.push(await submitter.uploadR(repository, file));
  };
  let installs = 0;
  return {
    operations: [
      { name: "index", weight: 50, run: () => anyone.send(`${folder}/PACKAGES.gz`) },
      {
        name: "install",
        weight: 20,
        async run() {
          installs += 1;
          await anyone.send(`${folder}/PACKAGES.gz`);
          await anyone.send(`${folder}/filler${installs % packages}x_1.0.0.tar.gz`);
        },
      },
      { name: "list", weight: 24, run: () => approver.send(`${apiPrefix}/packages?size=20`) },
      { name: "upload", weight: 3, run: upload },
      {
        name: "accept",
        weight: 3,
        async run() {
          const next = waiting.shift();
          if (!next) return;
          await approver.replace(`/r/submissions/${next.submission}`, "/state", "ACCEPTED");
          // The repository keeps its size, so that the work does not grow.
          accepted.push(next.package);
          const oldest = accepted.length > newcomers ? accepted.shift() : undefined;
          if (oldest !== undefined) await approver.replace(`/r/packages/${oldest}`, "/deleted", true);
        },
      },
    ],
    async memory() {
      const servers = replicas.running.flatMap(({ process: { pid } }) => pid ?? []);
      return { servers: memoryOf(servers), database: memoryOf(await replicas.databaseProcesses()) };
    },
  };
}
