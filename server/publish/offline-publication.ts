import type { Clock } from "../platform/clock.ts";
import { planWithdrawal } from "./copies/plan-withdrawal.ts";
import type { Publication } from "./records/publication.ts";
import { renderStore } from "./render/render-store.ts";

/** For commands without a job queue: the next server that starts publishes or withdraws their changes. */
export function offlinePublication(clock: Clock): Pick<Publication, "note" | "request" | "withdraw" | "whenServed"> {
  const note: Publication["note"] = (tx, repositoryId, names) =>
    renderStore(tx).noteChange(repositoryId, names === "everything" ? null : names, clock());
  return {
    note,
    request: note,
    async withdraw(tx, repositoryId) {
      await planWithdrawal(tx, repositoryId);
    },
    whenServed: async () => "late",
  };
}
