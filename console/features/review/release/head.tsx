import {
  IconArrowLeft,
  IconChevronDown,
  IconChevronLeft,
  IconChevronUp,
  IconFolderRoot,
  IconHistory,
  IconNotes,
  IconPrinter,
} from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { formatDateTime, formatSize } from "../../../language/i18n.ts";
import { Avatar } from "../../../ui/display/avatar.tsx";
import { formatRelative } from "../../../ui/display/relative-time.ts";
import { StateCell } from "../../../ui/display/state-cell.tsx";
import { TechnologyTile } from "../../../ui/display/technology-tile.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { forOtherFile, queuePart, type ReleaseAddress } from "../data/address.ts";
import type { Release, ReleaseReview } from "../data/queries.ts";
import bylineStyles from "../parts/byline.module.css";
import { AssigneePicker } from "./assignee-picker.tsx";
import { BasePicker } from "./base-picker.tsx";
import styles from "./head.module.css";

interface HeadProps {
  release: Release;
  review: ReleaseReview | undefined;
  id: number;
  address: ReleaseAddress;
  heading: RefObject<HTMLHeadingElement | null>;
  /** In the queue; negative if it is not there. */
  place: number;
  total: number;
  /** Only what it is: on a phone, a file needs the room. */
  compact: boolean;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}

/** What is waiting, what it is compared with, who sent it and what they wrote. */
export function Head(props: HeadProps) {
  const { release, review, id, address, heading, place, total, compact, onPrevious, onNext } = props;
  const { t } = useTranslation();
  const file = release.files.find(({ submissionId }) => submissionId === id) ?? release.files[0];
  const names = release.looking.map(({ name }) => name).join(", ");
  return (
    <header className={styles.head}>
      <div className={styles.back}>
        <Link to="/review" search={queuePart(address)} className={styles.backLink}>
          <IconChevronLeft size={20} aria-hidden /> {t("review.back")}
        </Link>
      </div>
      <div className={styles.id}>
        <TechnologyTile technology={release.technology} />
        <h1 ref={heading} tabIndex={-1} className={styles.name}>
          {release.name} <span className={styles.version}>{release.version}</span>
        </h1>
        {!compact && (
          <>
            <IconArrowLeft size={16} aria-hidden />
            <BasePicker release={release} id={id} address={address} />
            <StateCell state={review?.state ?? "WAITING"} />
          </>
        )}
      </div>
      <div className={styles.move}>
        {place >= 0 && <span>{t("review.position", { place: place + 1, total })}</span>}
        <IconButton
          icon={IconChevronUp}
          label={t("review.previous")}
          shortcut="k"
          blocked={onPrevious ? undefined : t("review.noMore")}
          onPress={() => onPrevious?.()}
        />
        <IconButton
          icon={IconChevronDown}
          label={t("review.next")}
          shortcut="j"
          blocked={onNext ? undefined : t("review.noMore")}
          onPress={() => onNext?.()}
        />
        <IconButton
          icon={IconPrinter}
          label={t("review.report")}
          testId="review-print"
          onPress={() => window.print()}
        />
      </div>
      {!compact && (
        <div className={`${bylineStyles.byline} ${styles.by}`}>
          <IconFolderRoot size={16} stroke={1.9} aria-hidden />
          <Link
            to="/repositories/$technology/$id"
            params={{ technology: release.technology, id: release.repository.id }}
            className={styles.repository}
          >
            {release.repository.name}
          </Link>
          <FilePicker release={release} id={id} address={address} />
          {file && <span>{formatSize(file.size)}</span>}
          <span>
            {t("review.submittedBy")} <b>{release.submitter.name}</b>{" "}
            <time dateTime={release.created} title={formatDateTime(release.created)}>
              {formatRelative(release.created)}
            </time>
          </span>
          <AssigneePicker release={release} review={review} id={id} />
          {release.looking.length > 0 && (
            <span className={styles.looking}>
              <Avatar name={release.looking[0]?.name ?? ""} />
              {t("review.lookingAt", { count: release.looking.length, names })}
            </span>
          )}
        </div>
      )}
      {!compact && file?.replaced === true && address.base !== "previous-upload" && (
        <p className={styles.replaced}>
          <IconHistory size={16} stroke={1.9} aria-hidden />
          {t("review.replaced")}
          <Link to="." search={{ ...address, base: "previous-upload" }} data-testid="review-what-changed">
            {t("review.whatChanged")}
          </Link>
        </p>
      )}
      {!compact && release.changes !== "" && (
        <p className={styles.note} title={release.changes}>
          <IconNotes size={16} stroke={1.9} role="img" aria-label={t("review.note")} />
          <span>{release.changes}</span>
        </p>
      )}
    </header>
  );
}

/** A release may consist of several files; each is inspected on its own. */
function FilePicker({ release, id, address }: Pick<HeadProps, "release" | "id" | "address">) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  if (release.files.length < 2)
    return <span>{t(release.files[0]?.kind === "binary" ? "review.binary" : "review.source")}</span>;
  return (
    <select
      className={styles.picker}
      aria-label={t("review.archive")}
      value={id}
      onChange={(event) =>
        void navigate({
          to: "/review/$technology/$id",
          params: { technology: release.technology, id: Number(event.currentTarget.value) },
          search: forOtherFile(address),
        })
      }
    >
      {release.files.map(({ submissionId, fileName }) => (
        <option key={submissionId} value={submissionId}>
          {fileName}
        </option>
      ))}
    </select>
  );
}
