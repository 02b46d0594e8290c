import { wrongPackageCounts } from "../../platform/db/counts-upkeep-store.ts";
import type { Db } from "../../platform/db/database.ts";
import type { Report } from "./finding.ts";
import type { Repairs } from "./repairs.ts";

interface CountContext {
  db: Db;
  repairs: Repairs | undefined;
  report: Report;
}

/** Compares the numbers of packages that lists show with the packages. */
export async function verifyCounts({ db, repairs, report }: CountContext): Promise<void> {
  const wrong = await wrongPackageCounts(db);
  if (wrong.length > 0) await repairs?.correctCounts();
  for (const { repository_id, technology, name, difference } of wrong)
    report({
      kind: "counts-wrong",
      where: name === null ? `repository ${repository_id}, which was removed` : `${technology} repository ${name}`,
      what: `the numbers of packages that lists show differ by ${difference} from the packages`,
      remedy: "the packages are counted again",
      repaired: repairs !== undefined,
    });
}
