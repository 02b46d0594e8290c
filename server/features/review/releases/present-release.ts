import type { Sent } from "@packhouse/contract/answer";
import { instantText } from "@packhouse/contract/envelope";
import type { Link } from "@packhouse/contract/links";
import type { releaseItem } from "@packhouse/contract/review/release";
import type { Viewer } from "../../../http/application.ts";
import type { Release } from "./release-store.ts";

/** For users who may read the review; `assesses`: whether the caller may assess the risk, by default who may decide. */
export function presentRelease(
  row: Release,
  { api }: Pick<Viewer, "api">,
  { assesses = row.decides }: { assesses?: boolean } = {},
): Sent<typeof releaseItem> {
  const submission = `${api}/submissions/${row.id}`;
  const may = (rel: string): Link => ({ rel, href: `${submission}/${rel}`, type: "POST" });
  return {
    id: row.id,
    technology: row.technology,
    name: row.name,
    version: row.version,
    repository: row.repository,
    submitter: row.submitter,
    created: instantText(row.submitted_on),
    changes: row.changes,
    files: row.files,
    base: row.base,
    level: row.level,
    signals: row.signals,
    incomplete: row.incomplete,
    linesAdded: row.lines_added,
    linesRemoved: row.lines_removed,
    changesAsked: row.changes_asked,
    assignee: row.assignee,
    looking: row.looking,
    opened: row.opened,
    checks: row.checks,
    comments: row.comments,
    links: [
      { rel: "self", href: `${submission}/review` },
      { rel: "reviewList", href: `${api}/reviews` },
      may("comments"),
      may("checks"),
      ...(row.decides ? [may("decision"), may("assignment")] : []),
      ...(assesses ? [may("assessment")] : []),
    ],
  };
}
