import type { Sent } from "@packhouse/contract/answer";
import { instantText } from "@packhouse/contract/envelope";
import type { submissionItem } from "@packhouse/contract/submissions";
import { technologyPath } from "@packhouse/contract/technology";
import type { Viewer } from "../../http/application.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { packageCoreBody, packagePresenter } from "../packages/present-package.ts";
import type { SubmissionItem, SubmissionItemCore } from "./store.ts";
import { canDecide } from "./submission.ts";

/** A submission as events show it. */
export const submissionBody = (row: SubmissionItemCore) => ({
  id: row.submission_id,
  packageBag: { ...packageCoreBody(row), links: [] },
  submitter: row.submitter,
  approver: row.approver,
  changes: row.changes,
  state: row.submission_state,
  created: instantText(row.submitted_on),
  technology: row.technology,
});

export function submissionPresenter(settings: Pick<Settings, "deleting.packages">) {
  const presentPackage = packagePresenter(settings);
  const present = (row: SubmissionItem, viewer: Viewer, listPath: string): Sent<typeof submissionItem> => {
    const self = `${viewer.api}/${technologyPath[row.technology]}/submissions/${row.submission_id}`;
    return {
      id: row.submission_id,
      packageBag: presentPackage.base(row, viewer),
      submitter: row.submitter,
      approver: row.approver,
      changes: row.changes,
      state: row.submission_state,
      created: instantText(row.submitted_on),
      technology: row.technology,
      reason: row.reason,
      replaces: row.replaces_id,
      deleted: false,
      links: [
        { rel: "self", href: self },
        { rel: "submissionList", href: viewer.api + listPath },
        ...(canDecide(viewer.actor, row)
          ? [{ rel: "self", href: self, type: "PATCH" as const, modifiableProperties: ["state"] }]
          : []),
      ],
    };
  };
  return {
    base: (row: SubmissionItem, viewer: Viewer) => present(row, viewer, "/submissions"),
    own: (row: SubmissionItem, viewer: Viewer) =>
      present(row, viewer, `/${technologyPath[row.technology]}/submissions`),
  };
}
