import type { PackageItem } from "@packhouse/contract/packages";
import { systemOf } from "@packhouse/formats/r/binary-target";

/** How to install one version with one client. */
export interface InstallSnippet {
  client: string;
  command: string;
}

type Installed = Pick<PackageItem, "name" | "version" | "technology" | "repository" | "binary"> & {
  /** R: of what a binary was built for. */
  distribution?: string | null;
};

/** The address with a place for credentials, as pip and R take them. */
function withCredentials(address: string): string {
  return address.replace("://", "://LOGIN:TOKEN@");
}

/** Commands for the shown version; the first is the one that most people know. */
export function installSnippets(installed: Installed): InstallSnippet[] {
  const { name, version, technology, repository, binary, distribution } = installed;
  const address = repository.requiresAuthentication
    ? withCredentials(repository.publicationUri)
    : repository.publicationUri;
  if (technology === "Python") return pythonSnippets(name, version, address);
  return binary && distribution
    ? [rBinarySnippet(name, repository.name, address, distribution)]
    : rSnippets(name, version, repository.name, address);
}

const rName = (repository: string): string => `packhouse_${repository.replace(/[^A-Za-z0-9_.]/g, "_")}`;

/** R for Linux gets binaries when it says what it is; R for other systems knows where they lie. */
function rBinarySnippet(name: string, repository: string, address: string, distribution: string): InstallSnippet {
  const install = (more: string) => `install.packages(${JSON.stringify(name)}, repos = ${more}`;
  if (systemOf(distribution) !== "linux")
    return { client: "install.packages", command: `${install(reposOf(repository, address))}, type = "binary")` };
  const binaries = `${address.replace(/\/$/, "")}/linux/${distribution}`;
  const repos = [
    `${rName(repository)}_binary = ${JSON.stringify(binaries)}`,
    `${rName(repository)}_source = ${JSON.stringify(address)}`,
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
  `c(${rName(repository)} = ${JSON.stringify(address)}, getOption("repos"))`;

function rSnippets(name: string, version: string, repository: string, address: string): InstallSnippet[] {
  const repos = reposOf(repository, address);
  return [
    { client: "install.packages", command: `install.packages(${JSON.stringify(name)}, repos = ${repos})` },
    {
      client: "remotes",
      command: `remotes::install_version(${JSON.stringify(name)}, ${JSON.stringify(version)}, repos = ${repos})`,
    },
    { client: "renv", command: `options(repos = ${repos})\nrenv::install("${name}@${version}")` },
    { client: "pak", command: `options(repos = ${repos})\npak::pkg_install("${name}@${version}")` },
  ];
}

function pythonSnippets(name: string, version: string, address: string): InstallSnippet[] {
  const index = `${address.replace(/\/$/, "")}/simple/`;
  const pinned = `${name}==${version}`;
  return [
    { client: "pip", command: `pip install --index-url ${index} ${name}` },
    { client: "uv", command: `uv pip install --index-url ${index} ${pinned}` },
    { client: "requirements.txt", command: `--index-url ${index}\n${pinned}` },
    {
      client: "pyproject.toml",
      command: `[[tool.uv.index]]\nname = "packhouse"\nurl = "${index}"\n\n[project]\ndependencies = ["${pinned}"]`,
    },
  ];
}
