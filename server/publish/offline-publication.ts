import type { Clock } from "../platform/clock.ts";
import { planWithdrawal } from "./copies/plan-withdrawal.ts";
import type { Publication } from "./records/publication.ts";
import { renderStore } from "./render/render-store.ts";

/** For commands without a job queue: the next server that starts publishes or withdraws their changes. */
export function offlinePublication(
  clock: Clock,
): Pick<Publication, "note" | "request" | "renderWithin" | "withdraw" | "whenServed"> {
  const note: Publication["note"] = (tx, repositoryId, names, { raisesVersion } = {}) =>
    renderStore(tx).noteChange(repositoryId, names === "everything" ? null : names, { at: clock(), raisesVersion });
  return {
    note,
    request: note,
    renderWithin: async () => undefined,
    async withdraw(tx, repositoryId) {
      await planWithdrawal(tx, repositoryId);
    },
    whenServed: async () => "late",
  };
}
