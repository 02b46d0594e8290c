import { permissionLink } from "@packhouse/contract/links";
import { readReview } from "@packhouse/contract/operations/review";
import type { SubmissionItem } from "@packhouse/contract/submissions";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { call } from "../../../api/client.ts";
import { ifOffered } from "../../../api/missing-routes.ts";
import { formatDateTime } from "../../../language/i18n.ts";
import { useOwnUser } from "../../../session/use-session.ts";
import { Card, Facts } from "../../../ui/display/card.tsx";
import { Markdown } from "../../../ui/prose/markdown.tsx";
import type { AnyPackageItem } from "../package-calls.ts";

interface AssessmentCardProps {
  item: AnyPackageItem;
  submission: SubmissionItem;
}

/** What its reviewers thought of the risk, for those who may read the review: the submitter and who may edit it. */
export function AssessmentCard({ item, submission: { id, submitter } }: AssessmentCardProps) {
  const { t } = useTranslation();
  const user = useOwnUser();
  const { data } = useQuery({
    queryKey: ["review", id, "assessment"],
    queryFn: ({ signal }) =>
      ifOffered(readReview, () => call(readReview, { id, query: { findings: "false" } }, { signal })),
    enabled: submitter.id === user.id || permissionLink(item, "PATCH") !== undefined,
    meta: { shownInPlace: true },
  });
  if (!data?.assessment) return null;
  const { category, comment, user: assessor, time } = data.assessment;
  return (
    <Card title={t("package.assessment")} testId="card-assessment">
      <Facts
        rows={[
          [t("package.riskCategory"), t(`package.risk.${category}`)],
          [t("package.assessedBy"), assessor.name],
          [t("package.assessedOn"), formatDateTime(time)],
        ]}
      />
      {comment !== "" && <Markdown text={comment} testId="assessment-comment" />}
    </Card>
  );
}
