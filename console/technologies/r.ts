import { systemOf } from "@packhouse/formats/r/binary-target";
import { compareVersions } from "@packhouse/formats/r/version";
import { rString } from "../ui/copy/quoted.ts";
import type { ConsoleTechnology, InstallSnippet } from "./technology.ts";

export const rTechnology: ConsoleTechnology = {
  normalizeName: (name) => name,
  compareVersions,
  isPreRelease: () => false,
  installSnippets: ({ name, version, repository, binary, distribution }, address) =>
    binary && distribution
      ? [rBinarySnippet(name, repository.name, address, distribution)]
      : rSnippets(name, version, repository.name, address),
  installText: ({ binary }) => (binary ? "package.installRBinary" : "package.installR"),
  clientSettings: (_repository, address) =>
    `options(repos = c(\n  packhouse = ${rString(address)},\n  getOption("repos")))`,
  clientSettingsText: "repository.useInR",
  snapshotLine: (address) => `options(repos = ${rString(address)})`,
  repositorySetting: "redirectToSource",
  hasManual: true,
};

const rName = (repository: string): string => `packhouse_${repository.replace(/[^A-Za-z0-9_.]/g, "_")}`;

/** R for Linux gets binaries if it identifies itself; R for other systems knows where they are. */
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
