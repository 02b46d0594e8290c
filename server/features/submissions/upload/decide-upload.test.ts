import { describe, expect, test } from "vitest";
import { decideUpload, type UploaderRelation } from "./decide-upload.ts";

const there = { digest: "old" };
const waiting = { digest: "waiting" };

interface Row {
  title: string;
  existing?: typeof there;
  replacement?: typeof there;
  answered?: typeof there;
  relation?: UploaderRelation;
  replace?: boolean;
  mirrored?: boolean;
  sha256?: string;
  replacingAllowed?: boolean;
  decision: ReturnType<typeof decideUpload<typeof there>>;
}

const duplicate = (existing: typeof there) =>
  ({ action: "keep", existing, code: "warning.package.duplicate" }) as const;
const disabled = { action: "keep", existing: there, code: "warning.replacing.packages.disabled" } as const;
const replaces = { action: "replace", existing: there } as const;
const waits = { action: "wait", existing: there } as const;

const table: Row[] = [
  { title: "is added where nothing exists", decision: { action: "add" } },
  { title: "is added where nothing exists, replace or not", replace: true, decision: { action: "add" } },
  { title: "is a duplicate of an orphaned replacement", replacement: waiting, decision: duplicate(waiting) },
  { title: "is a duplicate unless it replaces", existing: there, decision: duplicate(there) },
  { title: "is a duplicate for approvers too", existing: there, relation: "approver", decision: duplicate(there) },
  {
    title: "is a duplicate of the package, not of the replacement",
    existing: there,
    replacement: waiting,
    decision: duplicate(there),
  },
  {
    title: "replaces nothing where that is off",
    existing: there,
    replace: true,
    replacingAllowed: false,
    decision: disabled,
  },
  {
    title: "is a duplicate, not a forbidden replacement, without replace",
    existing: there,
    replacingAllowed: false,
    decision: duplicate(there),
  },
  { title: "of an approver replaces", existing: there, relation: "approver", replace: true, decision: replaces },
  { title: "of an owner replaces", existing: there, relation: "owner", replace: true, decision: replaces },
  { title: "of others waits to replace", existing: there, replace: true, decision: waits },
  {
    title: "of others is a duplicate of what waits already",
    existing: there,
    replacement: waiting,
    replace: true,
    decision: duplicate(waiting),
  },
  {
    title: "of an approver replaces in spite of what waits",
    existing: there,
    replacement: waiting,
    relation: "approver",
    replace: true,
    decision: replaces,
  },
  {
    title: "of the same bytes replaces",
    existing: there,
    relation: "approver",
    replace: true,
    sha256: "old",
    decision: replaces,
  },
  {
    title: "of a mirror with the same bytes is a duplicate",
    existing: there,
    relation: "approver",
    replace: true,
    mirrored: true,
    sha256: "old",
    decision: duplicate(there),
  },
  {
    title: "of a mirror with the same bytes is a duplicate, even where replacing is off",
    existing: there,
    replace: true,
    mirrored: true,
    sha256: "old",
    replacingAllowed: false,
    decision: duplicate(there),
  },
  {
    title: "of a mirror with other bytes replaces",
    existing: there,
    relation: "approver",
    replace: true,
    mirrored: true,
    decision: replaces,
  },
  {
    title: "that was asked for replaces what waits, without replace and where replacing is off",
    existing: there,
    answered: there,
    relation: "owner",
    replacingAllowed: false,
    decision: replaces,
  },
  {
    title: "that was asked for replaces the waiting replacement",
    existing: there,
    replacement: waiting,
    answered: waiting,
    decision: { action: "replace", existing: waiting },
  },
  {
    title: "with the same bytes does not answer",
    existing: there,
    answered: there,
    relation: "owner",
    sha256: "old",
    decision: duplicate(there),
  },
];

describe("an upload", () => {
  test.for(table)("$title", (row) => {
    const { relation = "other", replace = false, mirrored = false, sha256 = "new", replacingAllowed = true } = row;
    const { existing, replacement, answered } = row;
    const upload = { replace, mirrored, sha256 };
    expect(decideUpload({ existing, replacement, answered, relation, upload, replacingAllowed })).toEqual(row.decision);
  });
});
