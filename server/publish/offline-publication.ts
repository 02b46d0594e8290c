import type { Clock } from "../platform/clock.ts";
import { planWithdrawal } from "./copies/plan-withdrawal.ts";
import type { Publication } from "./records/publication.ts";
import { renderStore } from "./render/render-store.ts";

/** For commands without a job queue: the next server that starts publishes or withdraws their changes. */
export const offlinePublication = (clock: Clock): Omit<Publication, "tidySoon"> => ({
  note: (tx, repositoryId, names, { raisesVersionBy } = {}) =>
    renderStore(tx).noteChange(repositoryId, names, { at: clock(), raisesVersionBy }),
  render: async () => {},
  rendersWithin: () => false,
  renderWithin: () => Promise.reject(new Error("A command does not render within a change.")),
  async withdraw(tx, repositoryId) {
    await planWithdrawal(tx, repositoryId);
  },
  whenServed: async () => "late",
});
