import { reviewLevel } from "@packhouse/contract/review/release";
import { technology } from "@packhouse/contract/technology";
import { z } from "zod";

/** The parts of the release, in the order of their keys. */
export const tabs = ["overview", "files", "interface", "dependencies", "install", "conversation"] as const;
export type Tab = (typeof tabs)[number];

export const queueSorts = ["risk", "created", "name"] as const;
export type QueueSort = (typeof queueSorts)[number];

const yes = z.literal("true").optional().catch(undefined);
const text = z.string().max(200).optional().catch(undefined);

/** What the queue shows; part of every address of the desk. */
const queueSearch = {
  search: text,
  technology: technology.optional().catch(undefined),
  level: reviewLevel.optional().catch(undefined),
  repository: text,
  /** All releases that may be decided on, not only those that wait for the user. */
  all: yes,
  changesAsked: yes,
  assignedToMe: yes,
  sort: z.enum(queueSorts).optional().catch(undefined),
};

export const queueAddress = z.object(queueSearch);
export type QueueAddress = z.infer<typeof queueAddress>;

export const releaseAddress = z.object({
  ...queueSearch,
  tab: z.enum(tabs).optional().catch(undefined),
  /** Id of the package to compare with, `none`, `sdist` or `previous-upload`. */
  base: z
    .string()
    .regex(/^([1-9]\d{0,8}|none|sdist|previous-upload)$/)
    .optional()
    .catch(undefined),
  /** The path of the current file. */
  file: z.string().max(4000).optional().catch(undefined),
});
export type ReleaseAddress = z.infer<typeof releaseAddress>;

/** Bases that only some files of a release have. */
const ofOneFile: readonly string[] = ["sdist", "previous-upload"];

/** The address of the same tab for another file of the release. */
export const forOtherFile = ({ base, ...address }: ReleaseAddress): ReleaseAddress => ({
  ...address,
  base: base !== undefined && ofOneFile.includes(base) ? undefined : base,
  file: undefined,
});

/** The part of an address that belongs to the queue. */
export const queuePart = ({ tab: _tab, base: _base, file: _file, ...queue }: ReleaseAddress): QueueAddress => queue;

export const isFiltered = ({ sort: _sort, ...filters }: QueueAddress): boolean =>
  Object.values(filters).some((value) => value !== undefined);
