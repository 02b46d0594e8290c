import { type PackageItem, packageList } from "@packhouse/contract/packages";
import { api, type ListRequest } from "../../../api/client.ts";
import { inGroups } from "../../../api/in-groups.ts";
import { technologies } from "../../../technologies/technologies.ts";

const pageSize = 10;

/** All accepted versions of a package in its repository, newest first, and the shown one whatever its state. */
export async function versionsOf(shown: PackageItem, signal: AbortSignal): Promise<PackageItem[]> {
  const accepted: ListRequest<typeof packageList> = {
    repository: shown.repository.name,
    search: shown.name,
    submissionState: "ACCEPTED",
    deleted: "false",
    size: String(pageSize),
  };
  const read = (page: number) => api.list(packageList, { ...accepted, page: String(page) }, signal);
  const first = await read(0);
  const pages = Array.from({ length: Math.max(first.page.totalPages - 1, 0) }, (_, index) => index + 1);
  const others = (await inGroups(pages, read)).map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value.content;
  });
  return sortedVersions(shown, [first.content, ...others].flat());
}

/** The search is "contains", so longer names are filtered out here. */
export function sortedVersions(shown: PackageItem, found: readonly PackageItem[]): PackageItem[] {
  const { normalizeName, compareVersions } = technologies[shown.technology];
  const same = found.filter((item) => normalizeName(item.name) === normalizeName(shown.name) && item.id !== shown.id);
  return [...same, shown].sort(
    (a, b) => compareVersions(b.version, a.version) || Number(a.binary) - Number(b.binary) || a.id - b.id,
  );
}
