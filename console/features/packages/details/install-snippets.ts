import type { PackageItem } from "@packhouse/contract/packages";
import { technologies } from "../../../technologies/technologies.ts";
import type { Installed, InstallSnippet } from "../../../technologies/technology.ts";
import { safeAddress, withCredentials } from "../../../ui/copy/quoted.ts";

/** Commands that install the shown version, with placeholders for credentials if required. */
export function installSnippets(installed: Installed & Pick<PackageItem, "technology">): InstallSnippet[] {
  const { technology, repository } = installed;
  const open = safeAddress(repository.publicationUri);
  const address = repository.requiresAuthentication ? withCredentials(open) : open;
  return technologies[technology].installSnippets(installed, address);
}
