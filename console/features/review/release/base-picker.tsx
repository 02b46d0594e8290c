import { packageList } from "@packhouse/contract/packages";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { api } from "../../../api/client.ts";
import { technologies } from "../../../technologies/technologies.ts";
import type { ReleaseAddress } from "../data/address.ts";
import type { Release } from "../data/queries.ts";
import styles from "./head.module.css";

/** Enough for every version that anyone compares with. */
const mostVersions = 200;

interface BasePickerProps {
  release: Release;
  id: number;
  address: ReleaseAddress;
}

/** What the release is compared with: by default the newest accepted version below it. */
export function BasePicker({ release, id, address }: BasePickerProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { name, technology, base, repository } = release;
  const { normalizeName, compareVersions } = technologies[technology];
  const { data } = useQuery({
    queryKey: ["review-bases", technology, name],
    queryFn: ({ signal }) =>
      api.list(
        packageList,
        { search: name, technology, submissionState: "ACCEPTED", size: String(mostVersions) },
        signal,
      ),
    meta: { shownInPlace: true },
  });
  const versions = (data?.content ?? [])
    .filter((one) => normalizeName(one.name) === normalizeName(name))
    .sort((a, b) => compareVersions(b.version, a.version));
  const file = release.files.find(({ submissionId }) => submissionId === id);
  const hasSource = file?.kind === "binary" && release.files.some(({ kind }) => kind === "source");
  return (
    <select
      className={styles.base}
      aria-label={t("review.base")}
      value={address.base ?? ""}
      onChange={(event) => {
        const chosen = event.currentTarget.value;
        void navigate({ to: ".", search: { ...address, base: chosen === "" ? undefined : chosen }, replace: true });
      }}
      data-testid="review-base"
    >
      <option value="">
        {base
          ? `${base.version} – ${t("review.baseDefault")}`
          : `${t("review.baseNone")} – ${t("review.baseNew", { repository: repository.name })}`}
      </option>
      {base && <option value="none">{t("review.baseNone")}</option>}
      {file?.replaced && <option value="previous-upload">{t("review.basePreviousUpload")}</option>}
      {hasSource && <option value="sdist">{t("review.baseSource")}</option>}
      {versions.map((one) => (
        <option key={one.id} value={one.id}>
          {`${one.version} – ${one.repository.name}${one.binary ? ` (${t("review.binary")})` : ""}`}
        </option>
      ))}
    </select>
  );
}
