import type { ReviewDecision } from "@packhouse/contract/review/conversation";
import type { Review } from "@packhouse/contract/review/review";
import type { Page, Route } from "@playwright/test";
import { api, refuseOne } from "./answers.ts";
import {
  checks,
  comparison,
  diffOf,
  hoursAgo,
  impact,
  lead,
  person,
  rejected,
  release,
  releases,
  submissionOf,
  uninspected,
  unlisted,
} from "./desk-releases.ts";

const answer = (route: Route, data: unknown) =>
  route.fulfill({
    contentType: "application/json",
    body: JSON.stringify({ status: "SUCCESS", code: 200, message: null, messageCode: null, data }),
  });

/** What was sent to the desk, in order. */
export interface Sent {
  path: string;
  body: unknown;
}

/** How the desk is: with releases that wait, with none, or unable to answer. */
export type DeskState = "waiting" | "empty" | "failing";

const crash = { status: 500, messageCode: "internal.error" };

/** Answers the calls of the desk. What is decided leaves the queue, and comments and marks are kept. */
export async function serveDesk(page: Page, state: DeskState = "waiting"): Promise<Sent[]> {
  const sent: Sent[] = [];
  let waiting = state === "empty" ? [] : releases();
  const decisions = new Map<number, ReviewDecision>([
    [
      807,
      {
        id: 807,
        submissionId: 807,
        decision: "CHANGES",
        reason: "Please name the license.",
        user: lead,
        time: hoursAgo(1),
        passedOver: [],
      },
    ],
    [
      rejected,
      {
        id: rejected,
        submissionId: rejected,
        decision: "REJECTED",
        reason: "Please keep the order of `fit_lots()` until **2.0**.",
        user: lead,
        time: hoursAgo(0),
        passedOver: [],
      },
    ],
  ]);
  const comments: Review["comments"] = [];
  let marks: Review["marks"] = [];
  const reviewOf = (id: number): Review => {
    const found = [...releases(), ...unlisted()].find((one) => one.id === id) ?? release(id, "unknown");
    const decided = decisions.get(id);
    const isNew = found.base === null;
    return {
      release: found,
      state: decided && decided.decision !== "CHANGES" ? decided.decision : "WAITING",
      comparison:
        id === uninspected
          ? null
          : isNew
            ? {
                ...comparison,
                interface: { changes: [], unchanged: 0, result: "new", claim: "new" },
                signals: { fresh: [], gone: [], unchanged: [] },
              }
            : comparison,
      impact: isNew ? { ...impact, dependents: [], dependentsTotal: 0, wouldBreak: 0 } : impact,
      indicators: comparison.indicators,
      checks: found.checks.failed > 0 ? checks : { checks: [], required: [], missing: [] },
      comments: comments.filter((one) => one.submissionId === id),
      marks,
      decisions: decided ? [decided] : [],
      mayDecide: [lead, person(903, "package-maintainer")],
      assessment:
        id === rejected
          ? { category: "high", comment: "Changes **what calls mean**.", user: lead, time: hoursAgo(0) }
          : null,
    };
  };
  await page.route(api("/submissions/802"), (route) => answer(route, submissionOf(802)));
  await page.route(api("/reviews?*"), (route) => {
    if (state === "failing") return refuseOne(route, crash);
    const asked = new URL(route.request().url()).searchParams;
    const level = asked.get("level");
    const found = asked.get("changesAsked") === "true" ? [] : waiting.filter((one) => !level || one.level === level);
    return answer(route, {
      links: [],
      content: found,
      page: { size: 200, totalElements: found.length, totalPages: 1, number: 0 },
    });
  });
  await page.route(api("/submissions/*/review?*"), (route) =>
    state === "failing" ? refuseOne(route, crash) : answer(route, reviewOf(idIn(route))),
  );
  await page.route(api("/submissions/*/comparison/file?*"), (route) =>
    answer(route, diffOf(new URL(route.request().url()).searchParams.get("path") ?? "")),
  );
  for (const call of ["decision", "comments", "marks", "looking", "assessment"])
    await page.route(api(`/submissions/*/${call}`), (route) => {
      const id = idIn(route);
      const body: Record<string, unknown> = route.request().postDataJSON() ?? {};
      if (call !== "looking") sent.push({ path: `${id}/${call}`, body });
      if (call === "looking") return answer(route, { looking: [], lookingSeconds: 120 });
      if (call === "marks") {
        const [path, sha256] = [String(body.path), String(body.sha256)];
        marks = marks.filter((one) => one.path !== path);
        if (body.seen === true) marks.push({ submissionId: id, path, sha256 });
        return answer(route, { marks });
      }
      if (call === "comments") {
        const comment: Review["comments"][number] = {
          id: comments.length + 1,
          submissionId: id,
          path: typeof body.path === "string" ? body.path : null,
          line: typeof body.line === "number" ? body.line : null,
          side: body.line === undefined ? null : "after",
          sha256: null,
          text: String(body.text),
          author: lead,
          created: hoursAgo(0),
          edited: null,
          deleted: false,
          links: [],
        };
        comments.push(comment);
        return answer(route, comment);
      }
      const decision = body.decision === "REJECTED" ? "REJECTED" : body.decision === "CHANGES" ? "CHANGES" : "ACCEPTED";
      decisions.set(id, {
        id,
        submissionId: id,
        decision,
        reason: typeof body.reason === "string" ? body.reason : "",
        user: lead,
        time: hoursAgo(0),
        passedOver: [],
      });
      waiting = waiting.filter((one) => one.id !== id);
      return answer(route, reviewOf(id));
    });
  return sent;
}

const idIn = (route: Route): number => Number(/submissions\/(\d+)\//.exec(route.request().url())?.[1]);
