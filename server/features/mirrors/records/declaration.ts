import { longestName } from "@packhouse/contract/limits";
import { hashMethod, reservedName } from "@packhouse/contract/repositories";
import { type Technology, technologyAt } from "@packhouse/contract/technology";
import { formatOf } from "@packhouse/formats/format";
import { withoutTrailing } from "@packhouse/formats/trim-characters";
import { CronExpressionParser } from "cron-parser";
import { z } from "zod";
import type { RepositoryProperties } from "../../repositories/repository.ts";
import { isPattern, type PackageSelectors } from "./mirror.ts";

/** A repository as a file declares it, with its mirrors. */
export interface Declaration {
  /** The file. */
  path: string;
  technology: Technology;
  properties: RepositoryProperties;
  deleted: boolean;
  mirrors: DeclaredMirror[];
  /** Names, or patterns with `*`, that no mirror may use. */
  reservedNames: string[];
}

export interface DeclaredMirror {
  name: string;
  /** Without a trailing slash. */
  uri: string;
  /** Cron with five fields; null: only on request. */
  schedule: string | null;
  packages: PackageSelectors;
  generateManuals: boolean;
  /** Whether it may add versions to names that were uploaded here or that another mirror fetched. */
  sharedNames: boolean;
}

const text = z
  .string({ error: "must be a string; write it in quotes" })
  .refine((value) => value.trim() !== "", "is empty");

const declaredPackage = z.strictObject({
  name: text,
  version: z
    .string({ error: "must be a string: write it in quotes, because YAML reads 1.10 as the number 1.1" })
    .optional(),
  generateManuals: z.boolean().optional(),
});

/** Six fields starting with seconds, or five. Seconds are dropped. */
const schedule = z.string({ error: "must be a string; write it in quotes" }).transform((cron, context) => {
  const fields = cron.trim().split(/\s+/);
  if (cron.trim() === "") return null;
  const ofMinutes = (fields.length === 6 ? fields.slice(1) : fields).join(" ");
  try {
    if (fields.length !== 5 && fields.length !== 6) throw new Error("it must have five or six fields");
    CronExpressionParser.parse(fields.join(" "));
    return ofMinutes;
  } catch (error) {
    context.addIssue(`is not a cron expression: ${error instanceof Error ? error.message : "unknown reason"}`);
    return z.NEVER;
  }
});

const uri = z.string({ error: "must be a string" }).transform((address, context) => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const wrong =
    !url || !/^https?:$/.test(url.protocol)
      ? "is not an address of the form https://…"
      : url.username || url.password
        ? "must not contain a username or password, because everyone who can edit the repository can read it"
        : url.search || url.hash
          ? "must not have a query or a fragment"
          : undefined;
  if (!url || wrong) {
    context.addIssue(wrong ?? "is not an address");
    return z.NEVER;
  }
  return withoutTrailing(url.href, "/");
});

const mirror = z.strictObject({
  name: text.refine((name) => name.length <= longestName, `is longer than ${longestName} characters`),
  uri,
  type: z.literal("tarball").optional(),
  syncInterval: schedule.nullish(),
  generateManuals: z.boolean().default(false),
  sharedNames: z.boolean().default(false),
  packages: z.union([z.literal("all"), z.array(declaredPackage)], { error: "is neither all nor a list" }).optional(),
});

const common = {
  name: text,
  publicationUri: text,
  serverAddress: text,
  published: z.boolean().default(true),
  deleted: z.boolean().default(false),
  requiresAuthentication: z.boolean().default(true),
  mirrors: z.array(mirror).default([]),
  reservedNames: z.array(text).default([]),
};
const shapes = {
  R: z.strictObject({ ...common, technology: z.unknown().optional(), redirectToSource: z.boolean().default(false) }),
  Python: z.strictObject({ ...common, technology: z.unknown().optional(), hashMethod: hashMethod.default("SHA256") }),
} as const;

const technologyKey = z.object({
  technology: z
    .string()
    .toLowerCase()
    .pipe(z.enum(["r", "python"], { error: "is neither R nor Python" }))
    .default("r"),
});

/** The problems of a declaration, each with its key. */
export type Problem = `${string}: ${string}`;

/** Reads one declaration from its parsed YAML, or returns everything that is wrong with it. */
export function readDeclaration(path: string, content: unknown): Declaration | Problem[] {
  const said = technologyKey.safeParse(content, { reportInput: true });
  if (!said.success) return problemsOf(said.error);
  const technology = technologyAt[said.data.technology];
  const result = shapes[technology].safeParse(content, { reportInput: true });
  if (!result.success) return problemsOf(result.error);
  const { mirrors, deleted, reservedNames, technology: _, ...given } = result.data;
  const problems = mirrors.flatMap((it, index) => mirrorProblems(technology, it, index, mirrors));
  for (const [at, name] of reservedNames.entries())
    if (!reservedName.safeParse(name).success) problems.push(`reservedNames.${at}: is not a package name or pattern`);
  if (problems.length > 0) return problems;
  return {
    path,
    technology,
    deleted,
    reservedNames,
    properties: {
      ...given,
      redirectToSource: "redirectToSource" in given ? given.redirectToSource : false,
      hashMethod: "hashMethod" in given ? given.hashMethod : "SHA256",
    },
    mirrors: mirrors.map((it) => ({
      name: it.name,
      uri: it.uri,
      schedule: it.syncInterval ?? null,
      generateManuals: it.generateManuals,
      sharedNames: it.sharedNames,
      packages:
        it.packages === undefined || it.packages === "all"
          ? null
          : it.packages.map(({ name, version = null, generateManuals = it.generateManuals }) => ({
              name,
              version,
              generateManuals,
            })),
    })),
  };
}

type ReadMirror = z.infer<typeof mirror>;

function mirrorProblems(technology: Technology, it: ReadMirror, index: number, all: readonly ReadMirror[]): Problem[] {
  const problems: Problem[] = [];
  if (all.findIndex(({ name }) => name === it.name) < index)
    problems.push(`mirrors.${index}.name: another mirror has the name ${it.name}`);
  if (!Array.isArray(it.packages)) return problems;
  for (const [at, { name, version }] of it.packages.entries()) {
    const key = `mirrors.${index}.packages.${at}`;
    if (!namePatterns[technology].test(name)) problems.push(`${key}.name: is not a package name or pattern`);
    if (version === undefined) continue;
    if (isPattern(name)) problems.push(`${key}.version: requires a name, not a pattern`);
    else if (!formatOf(technology).isVersion(version)) problems.push(`${key}.version: is not a version`);
  }
  return problems;
}

const namePatterns: Record<Technology, RegExp> = {
  R: /^[A-Za-z*][A-Za-z0-9.*]*$/,
  Python: /^[A-Za-z0-9*][A-Za-z0-9._*-]*$/,
};

const problemsOf = (error: z.ZodError): Problem[] => error.issues.flatMap(problemsOfIssue);

function problemsOfIssue(issue: z.core.$ZodIssue): Problem[] {
  const key = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((name): Problem => `${key ? `${key}.` : ""}${name}: unknown key`);
  // Of the two forms of `packages`, a list is checked by its own rules.
  if (issue.code === "invalid_union") {
    const ofList = issue.errors.find((issues) => issues.some(({ path }) => path.length > 0));
    if (ofList) return ofList.flatMap((inner) => problemsOfIssue({ ...inner, path: [...issue.path, ...inner.path] }));
  }
  const missing = issue.code === "invalid_type" && issue.input === undefined;
  return [`${key || "the file"}: ${missing ? "is missing" : issue.message}`];
}
