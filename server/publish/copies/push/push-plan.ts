import type { FormPart } from "./multipart.ts";
import type { PageForm, PushedPart } from "./repository-server.ts";

/** A file on the server, by its path there, with a digest that is equal for equal bytes. */
export interface PushedFile {
  path: string;
  digest: string;
}

/** A part of a page and the files that are on the server when it has been stored. */
export interface Upload extends PushedPart {
  stores: readonly PushedFile[];
  /** Folder that the server puts it into; for R. */
  folder: string;
}

export interface Deletion {
  field: "to_delete" | "to_delete_archive";
  /** As the server wants it. */
  name: string;
  /** Of the file; for R. */
  folder: string;
  path: string;
}

/** The steps that make the files on a server those that a repository serves, in order. */
export interface PushPlan {
  deletions: readonly Deletion[];
  /** Files whose name is free. */
  added: readonly Upload[];
  /** Files whose name has to be freed by a deletion first. */
  replaced: readonly Upload[];
  /** Indexes that may be on any page. */
  indexes: readonly Upload[];
  /** Files that have to be on the last page. */
  closing: readonly Upload[];
  /** False: there are more deletions than one push may carry, and another one must follow. */
  complete: boolean;
}

export interface Page {
  deletions: readonly Deletion[];
  uploads: readonly Upload[];
  isLast: boolean;
}

/** How a technology fills the forms of its pages. */
export interface PageWriter {
  hash: string;
  fields(page: Page, plan: PushPlan): FormPart[];
}

/** What servers accept in one request: files by their settings, 1000 MB of bytes. */
const filesPerPage = 10;
const bytesPerPage = 900_000_000;
/** A server refuses requests of more than 100 parts, and all deletions are on the first page. */
export const deletionsPerPush = 50;

export function pagesOf(plan: PushPlan): Page[] {
  const pages: Upload[][] = [];
  const append = (uploads: readonly Upload[]) => {
    for (const upload of uploads) {
      const last = pages.at(-1);
      if (last && hasRoom(last, [upload])) last.push(upload);
      else pages.push([upload]);
    }
  };
  append(plan.added);
  if (plan.replaced.length > 0) {
    // A server may store the files of a page before it deletes: files that reuse a name come on a later page.
    if (pages.length === 0) pages.push([plan.indexes[0] ?? plan.closing[0]].filter((upload) => upload !== undefined));
    pages.push([]);
    append(plan.replaced);
  }
  append(plan.indexes);
  const last = pages.at(-1);
  if (last && hasRoom(last, plan.closing)) last.push(...plan.closing);
  else pages.push([...plan.closing]);
  return pages.map((uploads, index) => ({
    deletions: index === 0 ? plan.deletions : [],
    uploads,
    isLast: index === pages.length - 1,
  }));
}

function hasRoom(page: readonly Upload[], more: readonly Upload[]): boolean {
  const together = [...page, ...more];
  const bytes = together.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  // Checksums are keyed by name, and of two archives of one project the server would keep only one.
  const isUnique = new Set(together.map(({ name }) => name)).size === together.length;
  return together.length <= filesPerPage && bytes <= bytesPerPage && isUnique;
}

export const formOf = (page: Page, plan: PushPlan, { hash, fields }: PageWriter): PageForm => ({
  fields: [...page.deletions.map(({ field, name }) => ({ name: field, text: name })), ...fields(page, plan)],
  files: page.uploads,
  hash,
});

/** The files on the server: its own list takes precedence over what we remember. */
export interface OnServer {
  /** Paths that the server lists. */
  listed: ReadonlySet<string>;
  /** Digests by path, as they were pushed; indexes, which servers do not list, among them. */
  remembered: ReadonlyMap<string, string>;
}

/** How the files on a server differ from those that should be there, by name and content. */
export function difference<File extends PushedFile>(wanted: readonly File[], { listed, remembered }: OnServer) {
  const known = new Map(wanted.map((file) => [file.path, file.digest]));
  const isSame = ({ path, digest }: PushedFile) => listed.has(path) && remembered.get(path) === digest;
  const outdated = [...listed].filter(
    (path) => remembered.get(path) === undefined || known.get(path) !== remembered.get(path),
  );
  // Replaced files first: the other superfluous files may wait for another push.
  const deleted = outdated.sort((a, b) => Number(known.has(b)) - Number(known.has(a))).slice(0, deletionsPerPush);
  const freed = new Set(deleted);
  const missing = wanted.filter((file) => !isSame(file));
  return {
    deleted,
    added: missing.filter(({ path }) => !listed.has(path)),
    replaced: missing.filter(({ path }) => freed.has(path)),
    complete: deleted.length === outdated.length,
  };
}
