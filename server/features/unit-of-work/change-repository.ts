import type { MessageCode } from "@packhouse/contract/messages";
import type { Tx } from "../../platform/db/database.ts";
import type { RepositoryRow } from "../../platform/db/schema.ts";
import { pipelined } from "../../platform/db/transactions/pipelined.ts";
import { inTurn } from "../../platform/db/transactions/repository-turns.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import { lockStore } from "./lock-store.ts";
import {
  createUnit,
  type EndingUnit,
  type PublicationMode,
  type RepositoryUnit,
  type UnitDeps,
  type WhenCommitted,
} from "./repository-unit.ts";

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
  /** By default `awaited`. */
  publication?: PublicationMode;
  /** The result when a copy outside this server failed; the change itself is kept. By default a refusal. */
  whenNotCopied?: (result: T) => T;
}

export interface ChangeOfOne<T> extends ChangeOptions<T> {
  /** The refusal when there is no such repository. */
  missing?: MessageCode;
}

/**
 * The one way to change a repository or what is in it: locks the repository, reads it again, lets `change` write, raise
 * the version, record the event and publish, all in one transaction, and waits for publication after the commit.
 * `which` is the repository's id, or finds it in the transaction, in which case it does not wait for its turn
 * before it begins.
 */
export async function changeRepository<T>(
  deps: UnitDeps,
  which: number | ((tx: Tx) => Promise<number>),
  change: (unit: RepositoryUnit) => Promise<T>,
  { missing = "repository.notfound", ...options }: ChangeOfOne<T> = {},
): Promise<T> {
  const changeOne = async ({ tx, lock }: RepositoryUnits) => {
    const unit = await lock(typeof which === "number" ? which : await which(tx));
    if (!unit) throw new Refusal(missing);
    return change(unit);
  };
  return changeInTurn(deps, typeof which === "number" ? which : undefined, changeOne, options);
}

/** As `changeRepository`, for changes that add repositories or lock several. */
export const changeRepositories = <T>(
  deps: UnitDeps,
  change: (units: RepositoryUnits) => Promise<T>,
  options: ChangeOptions<T> = {},
): Promise<T> => changeInTurn(deps, undefined, change, options);

/** `turn` is the repository whose other changes by this process come first, if it is known before the transaction. */
async function changeInTurn<T>(
  deps: UnitDeps,
  turn: number | undefined,
  change: (units: RepositoryUnits) => Promise<T>,
  { publication = "awaited", whenNotCopied = refuse }: ChangeOptions<T>,
): Promise<T> {
  const { result, whenServed } = await (turn === undefined
    ? inTransaction(deps, change, { publication, mayRender: () => false })
    : inTurn(turn, (othersWait) => inTransaction(deps, change, { publication, mayRender: () => !othersWait() })));
  return (await whenServed()) === "failed" ? whenNotCopied(result) : result;
}

interface TransactionOptions {
  publication: PublicationMode;
  /** Whether what changes may be rendered in this transaction: while others wait, renders are shared instead. */
  mayRender: () => boolean;
  /** Called before the commit: from then on, nobody knows whether it has been kept if it fails. */
  committing?: () => void;
}

/** Returns the result of the change, and what waits until clients see it. */
export async function inTransaction<T>(
  deps: UnitDeps,
  change: (units: RepositoryUnits) => Promise<T>,
  { publication, mayRender, committing }: TransactionOptions,
): Promise<{ result: T; whenServed: () => Promise<"served" | "failed"> }> {
  let ends: readonly WhenCommitted[] = [];
  const result = await pipelined(deps.db.transaction(), async (tx, last) => {
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
    committing?.();
    return result;
  });
  const whenServed = async () => {
    const outcomes = await Promise.all(ends.map((whenCommitted) => whenCommitted()));
    return outcomes.includes("failed") ? "failed" : "served";
  };
  return { result, whenServed };
}

/** For changes of users: no upload chooses a responsible user until the transaction ends. */
export const holdEveryRepository = (tx: Tx): Promise<void> => lockStore(tx).holdEvery();

export function refuse(): never {
  throw new Refusal("error.apply.patch");
}
