import "./texts.ts";
import type { EventItem } from "@packhouse/contract/events";
import { submissionState } from "@packhouse/contract/references";
import type { TFunction } from "i18next";
import { z } from "zod";
import { formatDate } from "../../language/i18n.ts";
import { roleLabel } from "../../session/role.ts";

/** A small fact on a card. With a hint it is a value that a click copies; without one it is a label. */
export interface EventTag {
  text: string;
  hint?: string;
  /** The hint precedes the value. */
  labeled?: boolean;
  tone?: "red" | "green";
}

/** The parts of a related record that are shown; each may be missing, because records differ and may be deleted. */
const person = z.object({ name: z.string(), login: z.string(), email: z.string() });
const repository = z.object({ name: z.string(), publicationUri: z.string(), published: z.boolean() });
const facts = z
  .object({
    deleted: z.boolean(),
    active: z.boolean(),
    published: z.boolean(),
    synchronizing: z.boolean(),
    serverAddress: z.string(),
    publicationUri: z.string(),
    source: z.string(),
    state: submissionState,
    submission: z.object({ state: submissionState }),
    repository,
    user: person,
    submitter: person,
    approver: person.nullable(),
    packageName: z.string(),
    role: z.string(),
    email: z.string(),
    lastLoggedInOn: z.string(),
    createdOn: z.string(),
    creationDate: z.string(),
    expirationDate: z.string().nullable(),
  })
  .partial();
type Facts = z.infer<typeof facts>;

interface TagContext {
  t: TFunction;
  /** Rank 2 and up: addresses of servers. */
  seesServers: boolean;
  /** Administrators: paths on the server. */
  seesPaths: boolean;
}

const labeled = (tags: EventTag[]): EventTag[] => tags.map((tag) => ({ ...tag, labeled: true }));
const read = (value: unknown): Facts => facts.safeParse(value).data ?? {};

/** The tags of an event's card, in order; missing or false values produce none. */
export function tagsOf({ resourceType, relatedResource }: EventItem, its: TagContext): EventTag[] {
  const { t } = its;
  const it = read(relatedResource);
  const mark = (on: boolean | undefined, text: string, tone?: EventTag["tone"]): EventTag[] =>
    on ? [tone ? { text, tone } : { text }] : [];
  const value = (text: string | null | undefined, hint: string): EventTag[] => (text ? [{ text, hint }] : []);
  const day = (instant: string | null | undefined, hint: string): EventTag[] =>
    instant ? [{ text: `${hint} ${formatDate(instant)}` }] : [];
  const deleted = (of: Facts) => mark(of.deleted, t("word.deleted"), "red");
  const state = (given: Facts["state"]): EventTag[] => (given ? [{ text: t(`state.${given}`) }] : []);
  const ofPackage = (of: Facts): EventTag[] => [
    ...deleted(of),
    ...value(of.user?.login, t("column.maintainer")),
    ...value(of.repository?.name, t("column.repository")),
    ...mark(of.repository?.published, t("word.published")),
    ...mark(of.active, t("word.active")),
    ...(its.seesPaths ? value(of.source, t("event.source")) : []),
  ];
  switch (resourceType) {
    case "PACKAGE":
      return [...state(it.submission?.state), ...ofPackage(it)];
    case "SUBMISSION":
      return [
        ...labeled(value(it.submitter?.name, t("column.submitter"))),
        ...labeled(value(it.approver?.name, t("column.approver"))),
        ...state(it.state),
        ...ofPackage(read(relatedResource.packageBag)),
      ];
    case "REPOSITORY":
      return [
        ...deleted(it),
        ...mark(it.published, t("word.published")),
        ...mark(it.synchronizing, t("word.synchronizing")),
        ...(its.seesServers ? value(it.serverAddress, t("repository.serverAddress")) : []),
        ...value(it.publicationUri, t("repository.publicationUri")),
      ];
    case "PACKAGE_MAINTAINER":
    case "REPOSITORY_MAINTAINER":
      return [
        ...deleted(it),
        ...value(it.packageName, t("column.package")),
        ...value(it.repository?.name, t("column.repository")),
        ...value(it.repository?.publicationUri, t("repository.publicationUri")),
        ...mark(it.repository?.published, t("word.published")),
        ...value(it.user?.email, t("column.email")),
      ];
    case "USER":
      return [
        ...deleted(it),
        ...mark(it.active, t("word.active")),
        ...(it.role ? [{ text: roleLabel(it.role, t) }] : []),
        ...value(it.email, t("column.email")),
        ...day(it.lastLoggedInOn, t("column.lastLoggedIn")),
        ...day(it.createdOn, t("column.createdOn")),
      ];
    case "ACCESS_TOKEN":
      return [
        ...deleted(it),
        ...mark(it.active, t("word.active")),
        ...day(it.creationDate, t("column.createdOn")),
        ...day(it.expirationDate, t("column.expirationDate")),
        ...value(it.user?.name, t("column.user")),
        ...value(it.user?.login, t("column.login")),
        ...value(it.user?.email, t("column.email")),
      ];
    default:
      return [...deleted(it), ...mark(it.active, t("word.active"))];
  }
}
