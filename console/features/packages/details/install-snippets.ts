import type { PackageItem } from "@packhouse/contract/packages";
import { systemOf } from "@packhouse/formats/r/binary-target";
import { lineValue, rString, safeAddress, shellWord, tomlString, withCredentials } from "../../../ui/copy/quoted.ts";

/** How to install one version with one client. */
export interface InstallSnippet {
  client: string;
  command: string;
}

type Installed = Pick<PackageItem, "name" | "version" | "technology" | "repository" | "binary"> & {
  /** R: of what a binary was built for. */
  distribution?: string | null;
};

/** Commands for the shown version; the first is the one that most people know. */
export function installSnippets(installed: Installed): InstallSnippet[] {
  const { name, version, technology, repository, binary, distribution } = installed;
  const open = safeAddress(repository.publicationUri);
  const address = repository.requiresAuthentication ? withCredentials(open) : open;
  if (technology === "Python") return pythonSnippets(name, version, address);
  return binary && distribution
    ? [rBinarySnippet(name, repository.name, address, distribution)]
    : rSnippets(name, version, repository.name, address);
}

const rName = (repository: string): string => `packhouse_${repository.replace(/[^A-Za-z0-9_.]/g, "_")}`;

/** R for Linux gets binaries when it says what it is; R for other systems knows where they lie. */
function rBinarySnippet(name: string, repository: string, address: string, distribution: string): InstallSnippet {
  const install = (more: string) => `install.packages(${rString(name)}, repos = ${more}`;
  if (systemOf(distribution) !== "linux")
    return { client: "install.packages", command: `${install(reposOf(repository, address))}, type = "binary")` };
  const binaries = `${address.replace(/\/$/, "")}/linux/${distribution}`;
  const repos = [
    `${rName(repository)}_binary = ${rString(binaries)}`,
    `${rName(repository)}_source = ${rString(address)}`,
    'getOption("repos")',
  ];
  const agent = `options(HTTPUserAgent = sprintf("R/%s R (%s)", getRversion(),
  paste(getRversion(), R.version["platform"], R.version["arch"], R.version["os"])))`;
  return {
    client: "install.packages",
    command: `${agent}\n${install(`c(\n  ${repos.join(",\n  ")}),\n  headers = c("User-Agent" = getOption("HTTPUserAgent")))`)}`,
  };
}

const reposOf = (repository: string, address: string): string =>
  `c(${rName(repository)} = ${rString(address)}, getOption("repos"))`;

function rSnippets(name: string, version: string, repository: string, address: string): InstallSnippet[] {
  const repos = reposOf(repository, address);
  return [
    { client: "install.packages", command: `install.packages(${rString(name)}, repos = ${repos})` },
    {
      client: "remotes",
      command: `remotes::install_version(${rString(name)}, ${rString(version)}, repos = ${repos})`,
    },
    { client: "renv", command: `options(repos = ${repos})\nrenv::install(${rString(`${name}@${version}`)})` },
    { client: "pak", command: `options(repos = ${repos})\npak::pkg_install(${rString(`${name}@${version}`)})` },
  ];
}

function pythonSnippets(name: string, version: string, address: string): InstallSnippet[] {
  const index = `${address.replace(/\/$/, "")}/simple/`;
  const pinned = `${name}==${version}`;
  const option = `--index-url ${shellWord(index)}`;
  return [
    { client: "pip", command: `pip install ${option} ${shellWord(name)}` },
    { client: "uv", command: `uv pip install ${option} ${shellWord(pinned)}` },
    { client: "requirements.txt", command: `--index-url ${index}\n${lineValue(pinned)}` },
    {
      client: "pyproject.toml",
      command: `[[tool.uv.index]]\nname = "packhouse"\nurl = ${tomlString(index)}\n\n[project]\ndependencies = [${tomlString(pinned)}]`,
    },
  ];
}
