import type { PackageDownloads } from "@packhouse/contract/packages";
import { sql } from "kysely";
import type { Db } from "../../platform/db/database.ts";
import { firstShownDay, shownDownloads } from "./downloads.ts";

export interface CountedFile {
  repositoryId: number;
  digest: string;
  day: string;
  count: number;
}

export function downloadsStore(db: Db) {
  return {
    /**
     * Adds counts to the packages that have the files: if several do, to the public one, else the latest. Files whose
     * package is gone are not counted.
     */
    async add(files: readonly CountedFile[]): Promise<void> {
      await sql`
        insert into package_downloads (package_id, day, count)
        select package.id, file.day, file.count
        from unnest(${files.map((it) => it.repositoryId)}::int[], ${files.map((it) => it.digest)}::text[],
          ${files.map((it) => it.day)}::date[], ${files.map((it) => it.count)}::bigint[])
          as file(repository_id, digest, day, count)
        cross join lateral (
          select id from packages
          where packages.repository_id = file.repository_id and packages.digest = file.digest
          order by active desc, id desc limit 1
        ) as package
        order by package.id
        on conflict (package_id, day) do update set count = package_downloads.count + excluded.count`.execute(db);
    },

    /** Of one package: the total, and by day for the days shown. */
    async ofPackage(packageId: number, now: Date): Promise<PackageDownloads> {
      const { rows } = await sql<{ total: number; days: Record<string, number> }>`
        select coalesce(sum(count), 0)::bigint as total,
          coalesce(json_object_agg(day, count) filter (where day >= ${firstShownDay(now)}::date), '{}') as days
        from package_downloads where package_id = ${packageId}`.execute(db);
      const [row] = rows;
      return shownDownloads(row?.total ?? 0, new Map(Object.entries(row?.days ?? {})), now);
    },
  };
}
