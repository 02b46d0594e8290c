import type { PackageItem } from "@packhouse/contract/packages";
import type { RepositoryItem } from "@packhouse/contract/repositories";

/** How to install one version with one client. */
export interface InstallSnippet {
  client: string;
  command: string;
}

export type Installed = Pick<PackageItem, "name" | "version" | "repository" | "binary"> & {
  /** R: the target of a binary. */
  distribution?: string | null;
};

/** The differences between R and Python in the console. Screens use this instead of checking the technology. */
export interface ConsoleTechnology {
  normalizeName(name: string): string;
  compareVersions(a: string, b: string): number;
  isPreRelease(version: string): boolean;
  /** Commands for one version; the most common one first. `address` is that of the repository. */
  installSnippets(installed: Installed, address: string): InstallSnippet[];
  installText(
    item: Pick<PackageItem, "binary">,
  ): "package.installPython" | "package.installR" | "package.installRBinary";
  /** Configures a client to install from a repository by default. */
  clientSettings(repository: Pick<RepositoryItem, "name">, address: string): string;
  clientSettingsText: "repository.useInR" | "repository.useInPython";
  /** Installs from a snapshot of a repository, in one line. */
  snapshotLine(address: string): string;
  /** The setting specific to repositories of this technology. */
  repositorySetting: "hashMethod" | "redirectToSource";
  /** Whether packages come with a manual and vignettes. */
  hasManual: boolean;
}
