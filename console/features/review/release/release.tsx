import { lookAtRelease } from "@packhouse/contract/operations/review";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { call } from "../../../api/client.ts";
import { configuration } from "../../../api/configuration.ts";
import { loadFailure } from "../../../api/load-failure.ts";
import { undo, useDelayedActions } from "../../../calls/delayed-action.ts";
import { NotFoundScreen } from "../../../layout/not-found-screen.tsx";
import { noteIgnored } from "../../../list/ignored-parts.ts";
import { useOwnUser } from "../../../session/use-session.ts";
import { FailedLoad } from "../../../ui/display/failed-load.tsx";
import { setTitle } from "../../../ui/document-title.ts";
import { useKeys } from "../../../ui/shortcuts.ts";
import loadingStyles from "../../../ui/styles/loading.module.css";
import textStyles from "../../../ui/styles/text.module.css";
import visibilityStyles from "../../../ui/styles/visibility.module.css";
import { toast } from "../../../ui/toasts.tsx";
import { useMedia } from "../../../ui/use-media.ts";
import { queuePart, type ReleaseAddress, type Tab, tabs } from "../data/address.ts";
import { delayKey, lastDecision, useOwnDecision } from "../data/decide.ts";
import {
  holds,
  isMissing,
  nameOf,
  opensAt,
  queueQuery,
  type Release as ReleaseItem,
  type ReleaseReview,
  useReview,
} from "../data/queries.ts";
import { Files } from "../files/files.tsx";
import { Report } from "../report/report.tsx";
import { Conversation } from "../tabs/conversation.tsx";
import { Dependencies } from "../tabs/dependencies.tsx";
import { Install } from "../tabs/install.tsx";
import { InterfaceTab } from "../tabs/interface.tsx";
import { Overview } from "../tabs/overview.tsx";
import { DecidedNote } from "./decided-note.tsx";
import { FootBar, type FootBarKeys } from "./foot-bar.tsx";
import { Head } from "./head.tsx";
import styles from "./release.module.css";
import { Summary } from "./summary.tsx";
import { TabBar } from "./tab-bar.tsx";

/** *I am looking at this* holds for two minutes. */
const lookingMs = 60_000;

interface ReleaseProps {
  /** The submission in the address. */
  id: number;
  address: ReleaseAddress;
}

/** One release: who, what, summary, tabs, and the decision at the lower edge. */
export function Release({ id, address }: ReleaseProps): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data, error, refetch } = useReview(id, address.base);
  // What it was compared with may have been purged, or, as a previous upload, be gone since the decision.
  const lacksBase = address.base !== undefined && error !== null && isMissing(error);
  useEffect(() => {
    if (!lacksBase) return;
    if (!data) noteIgnored(["base"]);
    void navigate({ to: ".", search: { ...address, base: undefined }, replace: true, resetScroll: false });
  }, [lacksBase, data, address, navigate]);
  const { data: queue } = useQuery(queueQuery(queuePart(address)));
  const items = queue?.content ?? [];
  const place = items.findIndex((item) => holds(item, id));
  const listed = items[place];
  const release = data?.release ?? listed;
  const tab = address.tab ?? "overview";
  const waiting = data ? data.state === "WAITING" : listed !== undefined;
  useLooking(id, waiting);
  const narrow = useMedia("(max-width: 959px)");
  const heading = useRef<HTMLHeadingElement>(null);
  const title = release && nameOf(release);
  useEffect(() => {
    if (title) setTitle(`${t("screen.review")} - ${title}`);
  }, [title, t]);
  // Those who listen hear which release has opened; the keys work from there.
  const announced = useRef(0);
  useEffect(() => {
    if (!title || announced.current === id) return;
    announced.current = id;
    heading.current?.focus({ preventScroll: true });
  }, [title, id]);

  const goTo = (part: Partial<ReleaseAddress>, replace = false) =>
    void navigate({ to: ".", search: { ...address, ...part }, replace, resetScroll: false });
  const openTab = (next: Tab, file?: string) => goTo({ tab: next === "overview" ? undefined : next, file });
  const own = useOwnDecision(release);
  useOthersDecisions(data, own);
  const delayed = useDelayedActions();
  // A release that was decided is gone from the queue; what came after it is where it was.
  const lastPlace = useRef(0);
  useEffect(() => {
    if (place >= 0) lastPlace.current = place;
  }, [place]);
  const open = (item: ReleaseItem) =>
    void navigate({
      to: "/review/$technology/$id",
      params: { technology: item.technology, id: opensAt(item) },
      search: { ...queuePart(address), ...(tab === "overview" ? {} : { tab }) },
    });
  const isDecided = own.label !== undefined || (data !== undefined && data.state !== "WAITING");
  const following = () => {
    const start = place < 0 ? lastPlace.current : place + 1;
    const isOpen = (item: ReleaseItem) => !delayed.has(delayKey(item)) && !holds(item, id);
    // After a decision, those that were skipped before it come last.
    return items.slice(start).find(isOpen) ?? (isDecided ? items.find(isOpen) : undefined);
  };
  const next = () => {
    const item = following();
    if (item) open(item);
  };
  const previous = () => {
    const item = items[place - 1];
    if (item) open(item);
  };
  const hasNext = following() !== undefined;
  const foot = useRef<FootBarKeys>(null);
  useKeys((key) => {
    if (key === "j") next();
    else if (key === "k") previous();
    else if (key === "a") foot.current?.decide("ACCEPTED");
    else if (key === "r") foot.current?.decide("REJECTED");
    else if (key === ".") foot.current?.decide("CHANGES");
    else if (key === "u") {
      const last = [...delayed.keys()].findLast((one) => one.startsWith("review/"));
      if (!last) return false;
      undo(last);
    } else if (key === "c" && tab !== "files") openTab("conversation");
    else {
      const chosen = tabs[Number(key) - 1];
      if (!chosen) return false;
      openTab(chosen);
    }
    return true;
  });

  /** On a phone, one file is a screen of its own. */
  const onFile = narrow && tab === "files" && address.file !== undefined;
  if (error && isMissing(error) && !data && !lacksBase)
    return (
      <div className={styles.centered}>
        <NotFoundScreen />
      </div>
    );
  if (error && !data && !lacksBase)
    return (
      <div className={styles.centered}>
        <h1 className={visibilityStyles.hidden}>{t("nav.review")}</h1>
        <FailedLoad {...loadFailure(error, t)} onRetry={() => void refetch()} />
        <Link to="/review" search={queuePart(address)} className={`${textStyles.link} ${styles.back}`}>
          {t("review.back")}
        </Link>
      </div>
    );
  if (!release)
    return (
      <div className={styles.loading} aria-busy>
        <span className={loadingStyles.skeleton} style={{ width: "40%" }} />
        <span className={loadingStyles.skeleton} style={{ width: "70%" }} />
      </div>
    );
  return (
    <article className={styles.release} aria-label={title}>
      {/* Always there, so that what happens to the release is read out. */}
      <span className={visibilityStyles.hidden} role="status" data-testid="review-announcement">
        {title && announcementOf({ own, review: data, title, t })}
      </span>
      <Head
        release={release}
        review={data}
        id={id}
        address={address}
        heading={heading}
        place={place}
        compact={onFile}
        total={items.length}
        onPrevious={place > 0 ? previous : undefined}
        onNext={hasNext ? next : undefined}
      />
      {!onFile && <Summary review={data} usualBase={address.base === undefined} onOpen={openTab} />}
      {!onFile && <TabBar tab={tab} review={data} onOpen={openTab} />}
      {data && <DecidedNote review={data} />}
      <div
        className={styles.panel}
        role="tabpanel"
        id="review-panel"
        data-testid="review-panel"
        aria-label={t(`review.tab.${tab}`)}
        aria-busy={!data?.comparison}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region
        tabIndex={0}
      >
        <h2 className={visibilityStyles.hidden}>{t(`review.tab.${tab}`)}</h2>
        {!data && <span className={loadingStyles.skeleton} style={{ width: "60%", margin: 20 }} />}
        {data && tab === "overview" && <Overview review={data} id={id} base={address.base} onOpen={openTab} />}
        {data && tab === "files" && <Files review={data} id={id} address={address} onAddress={goTo} />}
        {data && tab === "interface" && <InterfaceTab review={data} onOpen={openTab} />}
        {data && tab === "dependencies" && <Dependencies review={data} />}
        {data && tab === "install" && <Install review={data} id={id} />}
        {data && tab === "conversation" && <Conversation review={data} id={id} />}
      </div>
      <FootBar
        key={release.id}
        ref={foot}
        release={release}
        review={data}
        id={id}
        onNext={hasNext ? next : undefined}
      />
      {data && <Report review={data} id={id} base={address.base} />}
    </article>
  );
}

interface Announced {
  own: ReturnType<typeof useOwnDecision>;
  review: ReleaseReview | undefined;
  title: string;
  t: TFunction;
}

/** What has become of the release, for those who listen. */
function announcementOf({ own: { label, delayed }, review, title, t }: Announced): string {
  if (delayed) return t("review.announced", { label, name: title, seconds: configuration().undoSeconds });
  if (label !== undefined) return `${title}: ${label}`;
  const isDecided = review && (review.state !== "WAITING" || review.release.changesAsked);
  return (isDecided && lastDecision(review)) || "";
}

/** Reports who has decided while the release is open. A decision of the user's that still waits for its seconds is void then. */
function useOthersDecisions(review: ReleaseReview | undefined, own: ReturnType<typeof useOwnDecision>): void {
  const { t } = useTranslation();
  const user = useOwnUser();
  const queries = useQueryClient();
  const known = useRef<number>(undefined);
  const last = review && (review.decisions[0]?.id ?? 0);
  useEffect(() => {
    const before = known.current;
    known.current = last;
    if (!review || before === undefined || before === last) return;
    void queries.invalidateQueries({ queryKey: ["list"] });
    const decided = lastDecision(review);
    if (!decided || review.decisions[0]?.user.id === user.id) return;
    // One that has been sent gets its own answer.
    if (own.label !== undefined && !own.delayed) return;
    const isVoid = review.state !== "WAITING" && own.delayed;
    if (isVoid) undo(delayKey(review.release));
    toast.warning(isVoid ? t("review.tooLate", { decided }) : decided);
  }, [review, last, user, queries, own, t]);
}

/** Shows others that the release is open, until it is closed. */
function useLooking(id: number, waiting: boolean): void {
  useEffect(() => {
    if (!waiting) return undefined;
    // Whether others see it is no matter of the release, so a failure is not shown.
    const report = (ended: boolean) =>
      void call(lookAtRelease, { id, body: { ended } }, { keepalive: ended }).catch(() => undefined);
    report(false);
    const timer = setInterval(() => report(false), lookingMs);
    return () => {
      clearInterval(timer);
      report(true);
    };
  }, [id, waiting]);
}
