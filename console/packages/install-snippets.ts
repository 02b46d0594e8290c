import type { PackageItem } from "@packhouse/contract/packages";

/** How to install one version with one client. */
export interface InstallSnippet {
  client: string;
  command: string;
}

type Installed = Pick<PackageItem, "name" | "version" | "technology" | "repository">;

/** The address with a place for credentials, as pip and R take them. */
function withCredentials(address: string): string {
  return address.replace("://", "://LOGIN:TOKEN@");
}

/** Commands for the shown version; the first is the one that most people know. */
export function installSnippets({ name, version, technology, repository }: Installed): InstallSnippet[] {
  const address = repository.requiresAuthentication
    ? withCredentials(repository.publicationUri)
    : repository.publicationUri;
  return technology === "R"
    ? rSnippets(name, version, repository.name, address)
    : pythonSnippets(name, version, address);
}

function rSnippets(name: string, version: string, repository: string, address: string): InstallSnippet[] {
  const repos = `c(packhouse_${repository.replace(/[^A-Za-z0-9_.]/g, "_")} = ${JSON.stringify(address)}, getOption("repos"))`;
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
