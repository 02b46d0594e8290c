import type { PackageItem } from "@packhouse/contract/packages";
import type { RepositoryItem } from "@packhouse/contract/repositories";

/** How to install one version with one client. */
export interface InstallSnippet {
  client: string;
  command: string;
}

export type Installed = Pick<PackageItem, "name" | "version" | "repository" | "binary"> & {
  /** R: what a binary was built for. */
  distribution?: string | null;
};

/** What the console shows differently for R and Python. Screens ask this instead of asking which technology it is. */
export interface ConsoleTechnology {
  normalizeName(name: string): string;
  compareVersions(a: string, b: string): number;
  isPreRelease(version: string): boolean;
  /** Commands for one version; the first is the most common one. `address` is that of the repository. */
  installSnippets(installed: Installed, address: string): InstallSnippet[];
  installText(
    item: Pick<PackageItem, "binary">,
  ): "package.installPython" | "package.installR" | "package.installRBinary";
  /** What makes a client install from a repository by itself. */
  clientSettings(repository: Pick<RepositoryItem, "name">, address: string): string;
  clientSettingsText: "repository.useInR" | "repository.useInPython";
  /** Installs from one state of a repository, in one line. */
  snapshotLine(address: string): string;
  /** The setting that only repositories of this technology have. */
  repositorySetting: "hashMethod" | "redirectToSource";
  /** Whether packages come with a manual and vignettes. */
  hasManual: boolean;
}
