import { offers } from "@packhouse/contract/links";
import { assignRelease } from "@packhouse/contract/operations/review";
import type { UserRef } from "@packhouse/contract/references";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "../../../api/client.ts";
import { reportFailure } from "../../../calls/report-failure.tsx";
import { useOwnUser } from "../../../session/use-session.ts";
import { Avatar } from "../../../ui/display/avatar.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { reload } from "../data/decide.ts";
import type { Release, ReleaseReview } from "../data/queries.ts";
import styles from "./head.module.css";

interface AssigneePickerProps {
  release: Release;
  review: ReleaseReview | undefined;
  id: number;
}

/** Who is to decide on the release; any of those who may can be chosen. */
export function AssigneePicker({ release, review, id }: AssigneePickerProps) {
  const { t } = useTranslation();
  const user = useOwnUser();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const { assignee } = release;
  const others = review?.mayDecide ?? [];
  if (review?.state !== "WAITING" || !offers(release, "assignment"))
    return (
      assignee && (
        <span className={styles.assignee}>
          <Avatar name={assignee.name} /> {t("review.assignedTo", { user: assignee.name })}
        </span>
      )
    );
  const isListed = !assignee || assignee.id === user.id || others.some((one) => one.id === assignee.id);
  const people = isListed ? others : [assignee, ...others];
  const assign = async (chosen: Pick<UserRef, "id" | "name"> | undefined) => {
    setBusy(true);
    try {
      await call(assignRelease, { id, body: { userId: chosen?.id ?? null } });
      toast.success(chosen ? t("review.assignedTo", { user: chosen.name }) : t("review.assignedToNobody"));
    } catch (error) {
      reportFailure(error);
    } finally {
      await reload(queries);
      setBusy(false);
    }
  };
  return (
    <label className={styles.assignee}>
      {t("review.assignee")}
      <select
        className={styles.picker}
        value={assignee?.id ?? ""}
        aria-busy={busy}
        onChange={(event) => {
          const chosen = Number(event.currentTarget.value);
          void assign([user, ...people].find((one) => one.id === chosen));
        }}
        data-testid="review-assignee"
      >
        <option value="">{t("review.nobody")}</option>
        <option value={user.id}>{t("review.you", { user: user.name })}</option>
        {people.map(({ id: userId, name }) => (
          <option key={userId} value={userId}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
