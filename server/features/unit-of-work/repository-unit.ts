import type { Tx } from "../../platform/db/database.ts";
import type { RepositoryRow } from "../../platform/db/schema.ts";
import type { Last } from "../../platform/db/transactions/pipelined.ts";
import { type NewEvent, recordEvents } from "../../platform/event-log/record-event.ts";
import type { Changed, Publication, PublicationOutcome } from "../../publish/records/publication.ts";
import type { Deps } from "../deps.ts";
import { lockStore, type RepositoryColumns } from "./lock-store.ts";

/** An event of a repository or of something in it. */
export type RepositoryEvent = Omit<NewEvent, "at" | "place"> & { packageId?: number; normalizedName?: string };

/**
 * A repository while a transaction changes it or what is in it: no one else can until the transaction ends. Statements
 * that are begun together are sent together.
 */
export interface RepositoryUnit {
  tx: Tx;
  /** Read after it was locked. */
  repository: RepositoryRow;
  /** When the change happens. */
  at: Date;
  /** Changes columns of the repository's row, and raises its version. */
  edit(columns: RepositoryColumns): Promise<void>;
  /** Raises the repository's version at the end of the transaction, once, however often the change calls it. */
  raiseVersion(): void;
  /** Records events at the end of the transaction, in this order. */
  record(...events: readonly RepositoryEvent[]): void;
  /** Publishes these normalized names, or everything, as of the end of the transaction. */
  publish(names: Changed): void;
  /** Waits after the commit until clients see what has been requested so far, even if this change requests nothing. */
  waitForPublication(): void;
  /**
   * Lets the next change in this transaction begin while this one waits for its last answers. What it still sends must
   * not matter to others.
   */
  letNextBegin(): void;
  /** The same for another change in this transaction. */
  ofAnother(letNextBegin: () => void): RepositoryUnit;
}

export interface UnitDeps extends Pick<Deps, "db" | "clock"> {
  publication: Pick<Publication, "note" | "render" | "rendersWithin" | "renderWithin" | "whenServed">;
}

/**
 * `awaited`: the call returns when clients see the change, or after `publication.waitMs`. `requested`: it does not wait.
 * `noted`: what changed is rendered with the next request, or by `Publication.render`.
 */
export type PublicationMode = "awaited" | "requested" | "noted";

/** What a change waits for after its commit. */
export type WhenCommitted = () => Promise<PublicationOutcome>;

export interface EndingUnit {
  unit: RepositoryUnit;
  /** The last part of the transaction. */
  end(): Promise<WhenCommitted>;
}

interface Ending {
  tx: Tx;
  last: Last;
  /** Whether what changes may be rendered in this transaction. */
  mayRender: () => boolean;
}

/** What needs no answer is collected, and written by as few statements as possible together with the commit. */
export function createUnit(
  { publication, clock }: UnitDeps,
  { tx, last, mayRender }: Ending,
  repository: RepositoryRow,
  how: PublicationMode,
): EndingUnit {
  const { id, technology } = repository;
  const at = clock();
  const events: NewEvent[] = [];
  let edited = false;
  let raisesVersionBy = 0;
  let waits = false;
  let changed: Set<string> | "everything" = new Set();
  let enqueued: Promise<void> | undefined;

  /** What can be rendered in this transaction. */
  const within = () => {
    if (how !== "awaited" || changed === "everything" || edited || !mayRender()) return undefined;
    const change = { repository, names: [...changed], raisesVersionBy };
    return publication.rendersWithin(change) ? change : undefined;
  };
  const enqueue = () => {
    enqueued ??= publication.render(tx, id, { awaited: how === "awaited" });
    enqueued.catch(() => {}); // reported at the end, unless the change fails before
    return enqueued;
  };

  const ofAnother = (letNextBegin: () => void): RepositoryUnit => {
    let raised = false;
    return {
      tx,
      repository,
      at,
      async edit(columns) {
        edited = true;
        await lockStore(tx).edit(id, columns);
      },
      record(...more) {
        for (const { packageId, normalizedName, ...event } of more)
          events.push({ ...event, at, place: { technology, repositoryId: id, packageId, normalizedName } });
      },
      publish(some) {
        if (some === "everything") changed = some;
        else if (changed !== "everything") for (const name of some) changed.add(name);
        // Together with what the change does next.
        if (how !== "noted" && !within()) void enqueue();
      },
      waitForPublication() {
        waits = true;
      },
      raiseVersion() {
        if (!raised) raisesVersionBy += 1;
        raised = true;
      },
      letNextBegin,
      ofAnother,
    };
  };

  const served = () => publication.whenServed([id]);
  const end = async (): Promise<WhenCommitted> => {
    if (events.length > 0) last(() => recordEvents(tx, events));
    if (changed !== "everything" && changed.size === 0) {
      if (raisesVersionBy > 0) last(() => lockStore(tx).edit(id, {}, raisesVersionBy));
      return waits ? served : nothing;
    }
    const change = enqueued ? undefined : within();
    if (change) return publication.renderWithin(tx, last, change);
    if (how !== "noted") await enqueue();
    const names = changed === "everything" ? changed : [...changed];
    last(() => publication.note(tx, id, names, { raisesVersionBy }));
    return waits || how === "awaited" ? served : nothing;
  };
  return { unit: ofAnother(() => {}), end };
}

const nothing: WhenCommitted = async () => "served";
