import type { AnyList } from "../list-contract.ts";
import { edit, list, post, purge, read } from "../operation.ts";
import {
  decidedSubmissions,
  pythonSubmissionList,
  rSubmissionList,
  submissionDecisions,
  submissionItem,
  submissionList,
  uploadParameters,
} from "../submissions.ts";
import { type Technology, technologyPath, technologyWithArticle } from "../technology.ts";

export const listSubmissions = list(submissionList, {
  permission: "readSubmissions",
  summary: "Submissions of both technologies",
});
export const readSubmission = read("/submissions/:id", {
  permission: "readSubmissions",
  summary: "A submission of either technology",
  data: submissionItem,
  codes: ["submission.notfound"],
});

export const decideOnSubmissions = post("/submissions/decisions", {
  permission: "patchSubmission",
  summary: "Accept, reject or cancel many submissions; the response has the result for each",
  answer: { data: decidedSubmissions },
  body: { json: submissionDecisions },
  codes: ["unsupported.media.type", "error.validation"],
});

/* @__NO_SIDE_EFFECTS__ */
function submissionsOf<const T extends Technology, const L extends AnyList>(
  technology: T,
  { of, uploaded }: { of: L; uploaded: string },
) {
  const path = technologyPath[technology];
  const packageOfIt = `${technologyWithArticle[technology]} package`;
  return {
    list: list(of, { permission: "readSubmissions", summary: `Submissions of ${technology} packages` }),
    read: read(`/${path}/submissions/:id`, {
      permission: "readSubmissions",
      summary: `A submission of ${packageOfIt}`,
      data: submissionItem,
      codes: ["submission.notfound"],
    }),
    upload: post(`/${path}/submissions`, {
      permission: "upload",
      summary: `Upload ${uploaded}. A warning with status 200 means that nothing was stored, because the package already exists.`,
      answer: { data: submissionItem },
      created: true,
      body: { form: uploadParameters },
      codes: [
        "warning.package.duplicate",
        "warning.replacing.packages.disabled",
        "warning.synchronization.failure",
        "generate.manual.not.supported",
        "manual.generation.unavailable",
        "repository.notfound",
        "payload.too.large",
        "unsupported.media.type",
        "error.validation",
        "too.many.uploads",
        "too.many.uploads.from.address",
        "too.many.waiting.submissions",
        "too.many.waiting.submissions.in.repository",
        "too.many.waiting.bytes",
        "error.create.resource",
        "storage.full",
      ],
    }),
    /** Accepts, rejects or cancels. */
    decide: edit(`/${path}/submissions/:id`, {
      permission: "patchSubmission",
      summary: `Accept, reject or cancel the submission of ${packageOfIt}`,
      data: submissionItem,
      codes: ["submission.notfound", "editing.deleted.resource.not.possible"],
    }),
    purge: purge(`/${path}/submissions/:id`, {
      permission: "purgeSubmission",
      summary: `Remove a submission with its ${technology} package permanently`,
      codes: ["submission.notfound"],
    }),
  };
}

/** The operations on submissions of one technology. */
export const submissionOf = {
  R: submissionsOf("R", { of: rSubmissionList, uploaded: "an R source package" }),
  Python: submissionsOf("Python", { of: pythonSubmissionList, uploaded: "an sdist or a wheel" }),
};

export const submissionOperations = [
  listSubmissions,
  readSubmission,
  decideOnSubmissions,
  ...Object.values(submissionOf.R),
  ...Object.values(submissionOf.Python),
];
