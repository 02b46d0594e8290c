import "./texts.ts";
import { useQuery } from "@tanstack/react-query";
import { Outlet, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { NotFoundScreen } from "../../layout/not-found-screen.tsx";
import { noteIgnored } from "../../list/ignored-parts.ts";
import { droppedFrom } from "../../list/list-address.ts";
import { siteStorage } from "../../storage/browser-storage.ts";
import { useKeys } from "../../ui/shortcuts.ts";
import emptyStyles from "../../ui/styles/empty.module.css";
import textStyles from "../../ui/styles/text.module.css";
import visibilityStyles from "../../ui/styles/visibility.module.css";
import { queueAddress, releaseAddress } from "./data/address.ts";
import { opensAt, queueQuery } from "./data/queries.ts";
import { useCodeColors } from "./parts/colors.ts";
import { Queue } from "./queue/queue.tsx";
import { Release } from "./release/release.tsx";
import styles from "./review-screen.module.css";

const foldedKey = "packhouse.review-folded";

/** Drops what is not known from an address that was opened, with a note. */
function useKnownAddress(given: Readonly<Record<string, string | undefined>>): void {
  const navigate = useNavigate();
  useEffect(() => {
    const known = releaseAddress.parse(given);
    const dropped = droppedFrom(given, known);
    if (dropped.length === 0) return;
    noteIgnored(dropped);
    void navigate({ to: ".", search: known, replace: true });
  }, [given, navigate]);
}

/** The review desk: the queue at the left, and the release that is open. */
export function ReviewScreen(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const given = useSearch({ from: "/signed-in/review-desk" });
  const address = queueAddress.parse(given);
  const { id } = useParams({ strict: false });
  useKnownAddress(given);
  const [folded, setFolded] = useState(() => siteStorage.read(foldedKey) === "yes");
  const colors = useCodeColors();
  const { data: queue } = useQuery(queueQuery(address));
  const fold = () => {
    siteStorage.write(foldedKey, folded ? "no" : "yes");
    setFolded(!folded);
  };
  useKeys((key) => {
    if (key !== "[") return false;
    fold();
    return true;
  });
  if (queue === null) return <NotFoundScreen />;
  const open = id !== undefined;
  return (
    <div
      className={styles.desk}
      style={colors}
      data-folded={(folded && open) || undefined}
      data-open={open || undefined}
      data-testid="screen-review"
    >
      {!open && <h1 className={visibilityStyles.hidden}>{t("nav.review")}</h1>}
      <div className={styles.queue}>
        <Queue
          address={address}
          current={id}
          folded={folded && open}
          onFold={fold}
          onAddress={(queue) => void navigate({ to: ".", search: queue, replace: true })}
        />
      </div>
      <div className={styles.place}>
        <Outlet />
      </div>
    </div>
  );
}

/** No release is open yet. */
export function ReviewStart(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const address = queueAddress.parse(useSearch({ from: "/signed-in/review-desk" }));
  const { data } = useQuery(queueQuery(address));
  const first = data?.content[0];
  useKeys((key) => {
    if (key !== "j" || !first) return false;
    void navigate({
      to: "/review/$technology/$id",
      params: { technology: first.technology, id: opensAt(first) },
      search: address,
    });
    return true;
  });
  if (!first) return null;
  return (
    <div className={styles.start}>
      <div className={emptyStyles.empty}>
        <strong>{t("review.choose")}</strong>
        <span aria-hidden>
          <kbd className={textStyles.key}>j</kbd>
        </span>
      </div>
    </div>
  );
}

export function ReviewRelease(): ReactNode {
  const { id } = useParams({ from: "/signed-in/review-desk/review/$technology/$id" });
  const address = releaseAddress.parse(useSearch({ from: "/signed-in/review-desk" }));
  return <Release key={id} id={id} address={address} />;
}
