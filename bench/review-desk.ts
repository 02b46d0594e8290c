import { type ApiUser, inDatabaseOf, type Product } from "@packhouse/server/testing/product";
import { type SmallPackage, smallRPackage, smallSdist } from "@packhouse/server/testing/small-packages";
import { sql } from "kysely";
import { quantile, seconds, startForBench } from "./organization.ts";

const rounds = 9;
const kibibyte = 1024;

/** What reviewers wait for: the inspection and comparison of a release of 5 MB, and the answers once it is inspected. */
export async function reviewDesk(): Promise<string[]> {
  const { product, administrator, uploader } = await startForBench();
  await using _ = product;
  const repositories = { R: "north", Python: "south" } as const;
  for (const technology of ["R", "Python"] as const)
    await administrator.createRepository(technology, repositories[technology]);
  const desk: Desk = {
    product,
    administrator,
    accepted: (technology, file) => administrator.upload(technology, repositories[technology], file),
    waiting: async (technology, file) => (await uploader.upload(technology, repositories[technology], file)).id,
  };
  return [...(await largeReleases(desk)), ...(await readers(desk)), ...(await answers(desk)), await impact(desk)];
}

interface Desk {
  product: Product;
  administrator: ApiUser;
  accepted(technology: "R" | "Python", file: SmallPackage): Promise<unknown>;
  /** The id of the submission. */
  waiting(technology: "R" | "Python", file: SmallPackage): Promise<number>;
}

const functions = {
  R: (name: string) =>
    `#' Heights of the tide\n#' @export\n${name} <- function(x, station = "harbor", ...) {\n  if (is.null(x)) stop("x is missing")\n  values <- lapply(x, function(one) one * 2 + nchar(station))\n  do.call(rbind, values)\n}\n\n`,
  Python: (name: string) =>
    `def ${name}(x, station="harbor", *rest):\n    """Heights of the tide."""\n    if x is None:\n        raise ValueError("x is missing")\n    return [one * 2 + len(station) for one in x if one not in rest]\n\n\n`,
} as const;

/** 2 MB of code in a hundred files, and 3 MB of a table; of each later version a tenth of the files are other ones. */
function release(technology: "R" | "Python", version: 1 | 2 | 3): Promise<SmallPackage> {
  const path = (index: number) => (technology === "R" ? `R/f${index}.R` : `estuary/f${index}.py`);
  const files: Record<string, string> = { "inst/tides.csv": "2026-01-02,harbor,1.25\n".repeat(135_000) };
  for (let index = 0; index < 100; index += 1) {
    const mark = index % 10 === 0 ? version : 0;
    const one = (at: number) => functions[technology](`f${index}_${mark}_${at}`);
    files[path(index)] = Array.from({ length: Math.ceil((20 * kibibyte) / one(0).length) }, (_, at) => one(at)).join(
      "",
    );
  }
  return technology === "R"
    ? smallRPackage("estuary", `${version}.0`, {}, files)
    : smallSdist("estuary", `${version}.0`, {}, files);
}

async function largeReleases({ administrator, accepted, waiting }: Desk): Promise<string[]> {
  const lines: string[] = [];
  for (const technology of ["R", "Python"] as const) {
    // The first inspection of a process also loads the parser.
    await administrator.call("GET", `/submissions/${await waiting(technology, await small(technology))}/inspection`);
    await accepted(technology, await release(technology, 1));
    const comparisonOf = (id: number) => seconds(() => administrator.call("GET", `/submissions/${id}/comparison`));
    const id = await waiting(technology, await release(technology, 2));
    const both = await comparisonOf(id);
    const again = await comparisonOf(id);
    // The base is known now.
    const next = await comparisonOf(await waiting(technology, await release(technology, 3)));
    lines.push(
      `${technology}: a release of 5 MB, 2 MB of it code, from its upload: ${both.toFixed(2)} s until it and its base are inspected and compared, ${next.toFixed(2)} s where the base is known, ${again.toFixed(3)} s afterward`,
    );
  }
  return lines;
}

const small = (technology: "R" | "Python") =>
  technology === "R"
    ? smallRPackage("brook", "1.0", {}, { "R/a.R": "a <- 1\n" })
    : smallSdist("brook", "1.0", {}, { "brook/a.py": "a = 1\n" });

/** What others wait for while a release is inspected. */
async function readers({ product, administrator, waiting }: Desk): Promise<string[]> {
  const read = async () => {
    const response = await fetch(`${product.address}/repo/north/src/contrib/PACKAGES`);
    if (!response.ok) throw new Error(`the index answered ${response.status}`);
    await response.arrayBuffer();
  };
  const idle: number[] = [];
  for (let round = 0; round < 200; round += 1) idle.push(await seconds(read));
  const files = Object.fromEntries(
    Array.from({ length: 11 }, (_, index) => [`R/f${index}.R`, "f(1, 'a');".repeat(50_000)]),
  );
  const id = await waiting("R", await smallRPackage("flood", "1.0", {}, files));
  let isOver = false;
  const inspection = administrator.call("GET", `/submissions/${id}/inspection`).finally(() => {
    isOver = true;
  });
  const during: number[] = [];
  while (!isOver) during.push(await seconds(read));
  await inspection;
  const shown = (times: readonly number[]) =>
    `p50 ${(1000 * quantile(times, 0.5)).toFixed(1)} ms, p99 ${(1000 * quantile(times, 0.99)).toFixed(1)} ms`;
  return [`an index: ${shown(idle)}; while the worst code is inspected: ${shown(during)}`];
}

async function answers({ administrator, accepted, waiting }: Desk): Promise<string[]> {
  const files = (changed: string) =>
    Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [
        `inst/${index}.txt`,
        `${index % 10 === 0 ? changed : "same"} ${index}\n`,
      ]),
    );
  await accepted("R", await smallRPackage("delta", "1.0", {}, files("one")));
  const many = await waiting("R", await smallRPackage("delta", "1.1", {}, files("other")));
  const lines = (changed: string) =>
    Array.from({ length: 5000 }, (_, at) => `${at % 50 === 7 ? changed : "line"} ${at}\n`).join("");
  await accepted("R", await smallRPackage("strait", "1.0", {}, { "R/a.R": lines("x") }));
  const long = await waiting("R", await smallRPackage("strait", "1.1", {}, { "R/a.R": lines("y") }));
  const large = await waiting(
    "R",
    await smallRPackage("gulf", "1.0", {}, { "inst/a.txt": "tide\n".repeat(1_200_000) }),
  );
  return [
    await answer(administrator, "the review of a release of 5,000 files", `/submissions/${many}/review`),
    await answer(administrator, "its comparison", `/submissions/${many}/comparison`),
    await answer(
      administrator,
      "the difference of a file of 5,000 lines",
      `/submissions/${long}/comparison/file?path=R/a.R`,
    ),
    await answer(
      administrator,
      "that of a text of 6 MB, which is not shown",
      `/submissions/${large}/comparison/file?path=inst/a.txt`,
    ),
  ];
}

async function answer(user: ApiUser, name: string, path: string): Promise<string> {
  await user.call("GET", path);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await seconds(() => user.call("GET", path)));
  return `${name}: p50 ${(1000 * quantile(times, 0.5)).toFixed(0)} ms, at least ${(1000 * Math.min(...times)).toFixed(0)} ms`;
}

/** 23,000 other packages, a tenth of which need the one in question. */
async function impact({ product, administrator, accepted, waiting }: Desk): Promise<string> {
  await accepted("R", await smallRPackage("bedrock", "1.0"));
  const id = await waiting("R", await smallRPackage("bedrock", "2.0"));
  const facts = JSON.stringify({
    dependencies: [{ kind: "imports", name: "bedrock", constraint: "< 2.0", condition: "" }],
    vignettes: [],
    readme: null,
    incomplete: [],
  });
  await inDatabaseOf(product, async (db) => {
    await sql`
      insert into packages (repository_id, technology, responsible_user_id, name, normalized_name, version, version_key,
        version_order, kind, target, file_name, digest, digests, size, description_content_type, metadata,
        dependency_names, active, uploaded_on)
      select repository_id, technology, responsible_user_id, 'pkg' || n, 'pkg' || n, version, version_key,
        version_order, kind, target, 'pkg' || n || '_1.0.tar.gz', digest, digests, size, description_content_type,
        metadata, case when n % 10 = 0 then array['bedrock', 'stats'] else array['stats'] end, true, uploaded_on
      from packages cross join generate_series(1, 23000) as n
      where packages.name = 'bedrock' and packages.version = '1.0'`.execute(db);
    await sql`
      insert into submissions (package_id, technology, submitter_id, approver_id, state, changes, created_on)
      select id, technology, responsible_user_id, responsible_user_id, 'ACCEPTED', '', uploaded_on
      from packages where name like 'pkg%'`.execute(db);
    await sql`
      insert into package_facts (package_id, version, facts)
      select id, 1, ${facts}::jsonb from packages where name like 'pkg%'`.execute(db);
    await sql`analyze packages, submissions, package_facts`.execute(db);
  });
  return answer(
    administrator,
    "the impact among 23,000 packages, a tenth of which need it",
    `/submissions/${id}/impact`,
  );
}
