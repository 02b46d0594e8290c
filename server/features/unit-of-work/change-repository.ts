import type { MessageCode } from "@packhouse/contract/messages";
import type { Tx } from "../../platform/db/database.ts";
import type { RepositoryRow } from "../../platform/db/schema.ts";
import { pipelined } from "../../platform/db/transactions/pipelined.ts";
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
  record(...events: readonly RepositoryEvent[]): Promise<void>;
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
  publication: Pick<Publication, "request" | "note" | "renderWithin" | "whenServed">;
}

/**
 * The one way to change a repository or what is in it: locks the repository, reads it again, lets `change` write, raise
 * the version, record the event and request publication, all in one transaction, and waits for publication after the commit.
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
    pipelined(deps.db.transaction(), async (tx) => {
      const locks = lockStore(tx);
      const units: EndingUnit[] = [];
      const unitOf = (row: RepositoryRow) => {
        const unit = createUnit(deps, tx, row, publication);
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
      ends = await Promise.all(units.map((unit) => unit.end(mayRender)));
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
  /** The last part of the transaction. Where no other change waits for this one, it may render. */
  end(mayRender: () => boolean): Promise<WhenCommitted>;
}

function createUnit(
  { publication, clock }: ChangeDeps,
  tx: Tx,
  repository: RepositoryRow,
  how: NonNullable<ChangeOptions<unknown>["publication"]>,
): EndingUnit {
  const { id, technology } = repository;
  const at = clock();
  let edited = false;
  let raisesVersion = false;
  let waits = false;
  let changed: Set<string> | "everything" = new Set();

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
    record: (...events) =>
      recordEvents(
        tx,
        events.map(({ packageId, normalizedName, ...event }) => ({
          ...event,
          at,
          place: { technology, repositoryId: id, packageId, normalizedName },
        })),
      ),
    publish(names) {
      if (names === "everything") changed = names;
      else if (changed !== "everything") for (const name of names) changed.add(name);
    },
    waitForPublication() {
      waits = true;
    },
  };

  const served = () => publication.whenServed([id]);
  const end: EndingUnit["end"] = async (mayRender) => {
    const names = changed === "everything" ? changed : [...changed];
    if (names.length === 0) {
      if (raisesVersion) await lockStore(tx).edit(id, {});
      return waits ? served : nothing;
    }
    const awaited = how === "awaited";
    if (awaited && names !== "everything" && !edited && mayRender()) {
      const rendered = await publication.renderWithin(tx, { repository, names, raisesVersion });
      if (rendered) return rendered;
    }
    if (how === "noted") await publication.note(tx, id, names, { raisesVersion });
    else await publication.request(tx, id, names, { raisesVersion, awaited });
    return awaited || waits ? served : nothing;
  };
  return { unit, end };
}

const nothing: WhenCommitted = async () => "served";

/** For changes of users: no upload chooses a responsible user until the transaction ends. */
export const holdEveryRepository = (tx: Tx): Promise<void> => lockStore(tx).holdEvery();

function refuse(): never {
  throw new Refusal("error.apply.patch");
}
