import type { MessageCode } from "@packhouse/contract/messages";
import type { Tx } from "../../platform/db/database.ts";
import type { RepositoryRow } from "../../platform/db/schema.ts";
import { type Last, pipelined } from "../../platform/db/transactions/pipelined.ts";
import { inTurn } from "../../platform/db/transactions/repository-turns.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
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
  /** Raises the repository's version at the end of the transaction, once, however often it is called. */
  raiseVersion(): void;
  /** Records events at the end of the transaction, in this order. */
  record(...events: readonly RepositoryEvent[]): void;
  /** Publishes these normalized names, or everything, as of the end of the transaction. */
  publish(names: Changed): void;
  /** Waits after the commit until clients see what has been requested so far, even if this change requests nothing. */
  waitForPublication(): void;
}

/** The repositories that one transaction changes, for changes of several. */
export interface RepositoryUnits {
  tx: Tx;
  lock(id: number): Promise<RepositoryUnit | undefined>;
  lockNamed(name: string): Promise<RepositoryUnit | undefined>;
  /** The existing ones, including deleted ones, locked in the order of their ids. */
  lockAll(ids: readonly number[]): Promise<ReadonlyMap<number, RepositoryUnit>>;
  /** A repository that this transaction has inserted. */
  added(row: RepositoryRow): RepositoryUnit;
}

export interface ChangeOptions<T> {
  /**
   * `awaited`, the default: the call returns when clients see the change, or after `publication.waitMs`.
   * `requested`: it does not wait. `noted`: what changed is rendered with the next request, or by `Publication.render`.
   */
  publication?: "awaited" | "requested" | "noted";
  /** The result when a copy outside this server failed; the change itself is kept. By default a refusal. */
  whenNotCopied?: (result: T) => T;
}

interface ChangeOfOne<T> extends ChangeOptions<T> {
  /** The refusal when there is no such repository. */
  missing?: MessageCode;
  /** Takes the locks that come before that of the repository. */
  locksFirst?: (tx: Tx) => Promise<void>;
}

export interface ChangeDeps extends Pick<Deps, "db" | "clock"> {
  publication: Pick<Publication, "note" | "render" | "rendersWithin" | "renderWithin" | "whenServed">;
}

/**
 * The one way to change a repository or what is in it: locks the repository, reads it again, lets `change` write, raise
 * the version, record the event and publish, all in one transaction, and waits for publication after the commit.
 * `which` is the repository's id, or finds it in the transaction, in which case it does not wait for its turn
 * before it begins.
 */
export async function changeRepository<T>(
  deps: ChangeDeps,
  which: number | ((tx: Tx) => Promise<number>),
  change: (unit: RepositoryUnit) => Promise<T>,
  { missing = "repository.notfound", locksFirst, ...options }: ChangeOfOne<T> = {},
): Promise<T> {
  const changeOne = async ({ tx, lock }: RepositoryUnits) => {
    const id = typeof which === "number" ? which : await which(tx);
    const [, unit] = await Promise.all([locksFirst?.(tx), lock(id)]);
    if (!unit) throw new Refusal(missing);
    return change(unit);
  };
  const turn = typeof which === "number" ? which : undefined;
  return changeInTurn(deps, turn, changeOne, options);
}

/** As `changeRepository`, for changes that add repositories or lock several. */
export const changeRepositories = <T>(
  deps: ChangeDeps,
  change: (units: RepositoryUnits) => Promise<T>,
  options: ChangeOptions<T> = {},
): Promise<T> => changeInTurn(deps, undefined, change, options);

/** `turn` is the repository whose other changes by this process come first, if it is known before the transaction. */
async function changeInTurn<T>(
  deps: ChangeDeps,
  turn: number | undefined,
  change: (units: RepositoryUnits) => Promise<T>,
  { publication = "awaited", whenNotCopied = refuse }: ChangeOptions<T>,
): Promise<T> {
  let ends: readonly WhenCommitted[] = [];
  const transaction = (mayRender: () => boolean) =>
    pipelined(deps.db.transaction(), async (tx, last) => {
      const locks = lockStore(tx);
      const units: EndingUnit[] = [];
      const unitOf = (row: RepositoryRow) => {
        const unit = createUnit(deps, { tx, last, mayRender }, row, publication);
        units.push(unit);
        return unit.unit;
      };
      const unitIfThere = (row: RepositoryRow | undefined) => row && unitOf(row);
      const result = await change({
        tx,
        lock: async (id) => unitIfThere(await locks.lock(id)),
        lockNamed: async (name) => unitIfThere(await locks.lockNamed(name)),
        lockAll: async (ids) => new Map((await locks.lockAll(ids)).map((row) => [row.id, unitOf(row)])),
        added: unitOf,
      });
      ends = await Promise.all(units.map((unit) => unit.end()));
      return result;
    });
  const result = await (turn === undefined
    ? transaction(() => false)
    : inTurn(turn, (othersWait) => transaction(() => !othersWait())));
  const outcomes = await Promise.all(ends.map((whenCommitted) => whenCommitted()));
  return outcomes.includes("failed") ? whenNotCopied(result) : result;
}

type WhenCommitted = () => Promise<PublicationOutcome>;

interface EndingUnit {
  unit: RepositoryUnit;
  /** The last part of the transaction. */
  end(): Promise<WhenCommitted>;
}

interface Ending {
  tx: Tx;
  last: Last;
  /** Whether no other change waits for this one. */
  mayRender: () => boolean;
}

/** What needs no answer is collected, and written by as few statements as possible together with the commit. */
function createUnit(
  { publication, clock }: ChangeDeps,
  { tx, last, mayRender }: Ending,
  repository: RepositoryRow,
  how: NonNullable<ChangeOptions<unknown>["publication"]>,
): EndingUnit {
  const { id, technology } = repository;
  const at = clock();
  const events: NewEvent[] = [];
  let edited = false;
  let raisesVersion = false;
  let waits = false;
  let changed: Set<string> | "everything" = new Set();
  let enqueued: Promise<void> | undefined;

  /** What can be rendered in this transaction. */
  const within = () => {
    if (how !== "awaited" || changed === "everything" || edited || !mayRender()) return undefined;
    const change = { repository, names: [...changed], raisesVersion };
    return publication.rendersWithin(change) ? change : undefined;
  };
  const enqueue = () => {
    enqueued ??= publication.render(tx, id, { awaited: how === "awaited" });
    enqueued.catch(() => {}); // reported at the end, unless the change fails before
    return enqueued;
  };

  const unit: RepositoryUnit = {
    tx,
    repository,
    at,
    async edit(columns) {
      edited = true;
      await lockStore(tx).edit(id, columns);
    },
    raiseVersion() {
      raisesVersion = true;
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
  };

  const served = () => publication.whenServed([id]);
  const end = async (): Promise<WhenCommitted> => {
    if (events.length > 0) last(() => recordEvents(tx, events));
    if (changed !== "everything" && changed.size === 0) {
      if (raisesVersion) last(() => lockStore(tx).edit(id, {}));
      return waits ? served : nothing;
    }
    const change = enqueued ? undefined : within();
    if (change) return publication.renderWithin(tx, last, change);
    if (how !== "noted") await enqueue();
    const names = changed === "everything" ? changed : [...changed];
    last(() => publication.note(tx, id, names, { raisesVersion }));
    return waits || how === "awaited" ? served : nothing;
  };
  return { unit, end };
}

const nothing: WhenCommitted = async () => "served";

/** For changes of users: no upload chooses a responsible user until the transaction ends. */
export const holdEveryRepository = (tx: Tx): Promise<void> => lockStore(tx).holdEvery();

function refuse(): never {
  throw new Refusal("error.apply.patch");
}
