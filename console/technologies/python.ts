import { normalizeName } from "@packhouse/formats/python/name";
import { compareVersions, isPreRelease } from "@packhouse/formats/python/version";
import { lineValue, shellWord, tomlString } from "../ui/copy/quoted.ts";
import type { ConsoleTechnology, InstallSnippet } from "./technology.ts";

export const pythonTechnology: ConsoleTechnology = {
  normalizeName,
  compareVersions,
  isPreRelease,
  installSnippets: ({ name, version }, address) => pythonSnippets(name, version, address),
  installText: () => "package.installPython",
  clientSettings(repository, address) {
    const index = simpleIndex(address);
    return `# pip.conf\n[global]\nindex-url = ${index}\n\n# pyproject.toml\n[[tool.uv.index]]\nname = ${tomlString(repository.name)}\nurl = ${tomlString(index)}`;
  },
  clientSettingsText: "repository.useInPython",
  snapshotLine: (address) => `pip install --index-url ${shellWord(simpleIndex(address))} `,
  repositorySetting: "hashMethod",
  hasManual: false,
};

/** Where installers find the index of a repository. */
const simpleIndex = (address: string): string => `${address.replace(/\/$/, "")}/simple/`;

function pythonSnippets(name: string, version: string, address: string): InstallSnippet[] {
  const index = simpleIndex(address);
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
