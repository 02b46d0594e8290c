import type { Deps } from "../deps.ts";
import { resourceReader } from "../events/related-resources.ts";
import { submissionBody } from "./present-submission.ts";
import { submissions } from "./store.ts";

/** How events read and show submissions. */
export const submissionResource = ({ db }: Pick<Deps, "db">) => ({
  SUBMISSION: resourceReader(submissions(db).ofIds, (row) => row.submission_id, submissionBody),
});
