import type { MessageCode } from "@packhouse/contract/messages";
import type { Tx } from "../../platform/db/database.ts";
import type { RepositoryRow } from "../../platform/db/schema.ts";
import { pipelined } from "../../platform/db/transactions/pipelined.ts";
import { inTurn } from "../../platform/db/transactions/repository-turns.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import { type NewEvent, recordEvents } from "../../platform/event-log/record-event.ts";
import type { Changed, Publication } from "../../publish/records/publication.ts";
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
  /** Raises the repository's version and changes columns of its row; without columns once, however often it is called. */
  raiseVersion(columns?: RepositoryColumns): Promise<void>;
  record(...events: readonly RepositoryEvent[]): Promise<void>;
  /** Requests publication of these normalized names, or of everything. */
  publish(names: Changed): Promise<void>;
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
  publication: Pick<Publication, "request" | "note" | "whenServed">;
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
  const awaited = new Set<number>();
  /** Versions that have been raised without other columns. */
  const raised = new Map<number, Promise<void>>();

  const unitOf = (tx: Tx, repository: RepositoryRow): RepositoryUnit => {
    const { id, technology } = repository;
    const at = deps.clock();
    return {
      tx,
      repository,
      at,
      raiseVersion(columns) {
        if (columns) return lockStore(tx).raiseVersion(id, columns);
        const once = raised.get(id) ?? lockStore(tx).raiseVersion(id, {});
        raised.set(id, once);
        return once;
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
      async publish(names) {
        if (publication === "noted") return deps.publication.note(tx, id, names);
        await deps.publication.request(tx, id, names, { awaited: publication === "awaited" });
        if (publication === "awaited") awaited.add(id);
      },
      waitForPublication: () => void awaited.add(id),
    };
  };

  const transaction = () =>
    pipelined(deps.db.transaction(), async (tx) => {
      const locks = lockStore(tx);
      const unitIfThere = (row: RepositoryRow | undefined) => row && unitOf(tx, row);
      return change({
        tx,
        lock: async (id) => unitIfThere(await locks.lock(id)),
        lockNamed: async (name) => unitIfThere(await locks.lockNamed(name)),
        lockAll: async (ids) => new Map((await locks.lockAll(ids)).map((row) => [row.id, unitOf(tx, row)])),
        added: (row) => unitOf(tx, row),
      });
    });
  const result = await (turn === undefined ? transaction() : inTurn(turn, transaction));
  const failed = awaited.size > 0 && (await deps.publication.whenServed([...awaited])) === "failed";
  return failed ? whenNotCopied(result) : result;
}

/** For changes of users: no upload chooses a responsible user until the transaction ends. */
export const holdEveryRepository = (tx: Tx): Promise<void> => lockStore(tx).holdEvery();

function refuse(): never {
  throw new Refusal("error.apply.patch");
}
