import type { SubmissionState } from "@packhouse/contract/references";
import { html, joined } from "@packhouse/formats/html";
import { oneLine } from "../../platform/mail/one-line.ts";
import type { Notice } from "./mail.ts";
import { type Facts, type Section, sections, textsIn } from "./mail-texts.ts";

export interface MailFrame {
  language: string;
  /** Name of the installation. */
  title: string;
  /** Address of the console. */
  base: string;
  /** Link that stops the kinds of this mail. */
  stop: string;
}

/** What one notice says, and where it leads. */
interface Item {
  section: Section;
  facts: Facts;
  address: string;
  /** What the reviewer wrote, line by line. */
  reason?: readonly string[];
}

/** Of each section; the console has all of them. */
const mostLines = 50;
const longestWord = 200;
const word = (text: string): string => oneLine(text, longestWord);

/** The beginning of a reason; the console has all of it. */
const longestReason = 1000;
const mostReasonLines = 20;
function reasonLines(reason: string): string[] {
  const beginning = reason.slice(0, longestReason);
  const lines = beginning
    .split("\n")
    .map((line) => oneLine(line, longestReason))
    .filter((line) => line !== "");
  const isCut = beginning.length < reason.length || lines.length > mostReasonLines;
  return [...lines.slice(0, mostReasonLines), ...(isCut ? ["…"] : [])];
}

/** One mail about all of these notices. */
export function composeMail(
  notices: readonly Notice[],
  { language, title, base, stop }: MailFrame,
): { subject: string; text: string; html: string } {
  const { code, texts } = textsIn(language);
  const items = notices.map(itemOf);
  const parts = sections
    .map((section) => ({ section, its: items.filter((item) => item.section === section) }))
    .filter(({ its }) => its.length > 0)
    .map(({ section, its }) => ({
      heading: texts.heading[section](its.length),
      lines: its.slice(0, mostLines).map(({ facts, address, reason = [] }) => ({
        line: texts.line[section](facts),
        address: base + address,
        reason,
      })),
      more: its.length > mostLines ? texts.more(its.length - mostLines) : undefined,
    }));
  const [only] = parts.length === 1 && parts[0]?.lines.length === 1 ? parts[0].lines : [];
  const settings = `${base}/settings-mail`;

  const text = [
    ...parts.flatMap(({ heading, lines, more }) => [
      heading,
      "",
      ...lines.flatMap(({ line, address, reason }) => [
        `- ${line}`,
        ...reason.map((one) => `  > ${one}`),
        `  ${address}`,
      ]),
      ...(more ? [`  ${more}`] : []),
      "",
    ]),
    "-- ",
    texts.why(title),
    `${texts.settings}: ${settings}`,
    `${texts.stop}: ${stop}`,
    "",
  ].join("\n");
  const page = html`<!doctype html>
<html lang="${code}"><head><meta charset="utf-8"><title>${title}</title></head>
<body style="font-family: sans-serif; line-height: 1.5; max-width: 40rem">
${joined(
  parts.map(
    ({ heading, lines, more }) => html`<h1 style="font-size: 1.1rem">${heading}</h1>
<ul>
${joined(
  lines.map(
    ({ line, address, reason }) =>
      html`<li><a href="${address}">${line}</a>${joined(reason.map((one) => html`<br>${one}`))}</li>\n`,
  ),
)}</ul>
${more ? html`<p>${more}</p>\n` : ""}`,
  ),
)}<hr>
<p><small>${texts.why(title)} <a href="${settings}">${texts.settings}</a> · <a href="${stop}">${texts.stop}</a></small></p>
</body></html>
`;
  return { subject: only?.line ?? parts.map(({ heading }) => heading).join("; "), text, html: page.source };
}

function itemOf({ kind, submission, token, mirror }: Notice): Item {
  const facts = { what: "", repository: "", who: "", date: new Date(0) };
  if (token)
    return {
      section: "token",
      facts: { ...facts, what: word(token.name), date: new Date(token.endsOn) },
      address: "/settings-tokens",
    };
  if (mirror) {
    const { id, name, technology } = mirror.repository;
    return {
      section: "mirror",
      facts: { ...facts, what: word(mirror.name), repository: word(name) },
      address: `/repositories/${technology}/${id}`,
    };
  }
  if (!submission) throw new Error("a notice is about a submission, a token or a mirror");
  const { id, name, version, repository } = submission;
  const { section, who, reason } = aboutSubmission(kind, submission);
  return {
    section,
    ...(reason === undefined ? {} : { reason: reasonLines(reason) }),
    facts: { ...facts, what: word(`${name} ${version}`), repository: word(repository.name), who: word(who ?? "") },
    address: `/submissions?state=any&search=${encodeURIComponent(name)}&open=${id}`,
  };
}

/** What happened to it, by whom, and what they wrote. */
function aboutSubmission(
  kind: Notice["kind"],
  { state, submitter, approver, reason, commentedBy, comment }: NonNullable<Notice["submission"]>,
): { section: Section; who: string | null; reason?: string } {
  if (kind === "comments") return { section: "comment", who: commentedBy, reason: comment };
  if (kind === "decisions") return { section: ownSections[state], who: approver, reason };
  return { section: state === "CANCELLED" ? "cancelled" : "waiting", who: submitter };
}

/** The outcome of a submission, for its submitter. */
const ownSections = {
  WAITING: "changes",
  ACCEPTED: "accepted",
  REJECTED: "rejected",
  CANCELLED: "ended",
} as const satisfies Record<SubmissionState, Section>;
