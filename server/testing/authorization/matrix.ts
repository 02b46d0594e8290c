import type { OperationName } from "@packhouse/contract/operations";
import type { Technology } from "@packhouse/contract/technology";
import type { Repository } from "../../features/repositories/store.ts";
import { startPackhouse, type TestOptions, type TestPackhouse } from "../packhouse.ts";
import { type Calls, callsOf } from "./calls.ts";
import { createPeople, type Person, type PersonName } from "./people.ts";
import { type RecordMakers, recordMakers } from "./records.ts";

/** All users, all calls and the records that they are about. */
export interface Matrix {
  it: TestPackhouse;
  people: Person[];
  byName: Record<PersonName, Person>;
  calls: Record<OperationName, Calls>;
  records: RecordMakers;
}

export async function startMatrix(options?: TestOptions): Promise<Matrix> {
  const it = await startPackhouse(options);
  const repositories: Record<Technology, Repository> = {
    R: await it.given.repository("R"),
    Python: await it.given.repository("Python"),
  };
  const { people, byName } = await createPeople(it, Object.values(repositories));
  const records = await recordMakers(it, repositories, byName);
  return { it, people, byName, records, calls: callsOf(it, records, repositories) };
}
