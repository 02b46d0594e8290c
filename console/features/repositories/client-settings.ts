import type { RepositoryItem } from "@packhouse/contract/repositories";
import type { Technology } from "@packhouse/contract/technology";
import { rString, safeAddress, shellWord, tomlString, withCredentials } from "../../ui/copy/quoted.ts";

/** The address with a place for credentials where they are needed, as pip and R take them. */
const installable = ({ publicationUri, requiresAuthentication }: Used): string =>
  requiresAuthentication ? withCredentials(safeAddress(publicationUri)) : safeAddress(publicationUri);

type Used = Pick<RepositoryItem, "name" | "publicationUri" | "requiresAuthentication">;

const snippets: Record<Technology, (used: Used) => string> = {
  R: (used) => `options(repos = c(\n  packhouse = ${rString(installable(used))},\n  getOption("repos")))`,
  Python: (used) => {
    const index = `${installable(used).replace(/\/$/, "")}/simple/`;
    return `# pip.conf\n[global]\nindex-url = ${index}\n\n# pyproject.toml\n[[tool.uv.index]]\nname = ${tomlString(used.name)}\nurl = ${tomlString(index)}`;
  },
};

/** The same for a state of it, in one line. */
export function snapshotLine(item: RepositoryItem, serial: number): string {
  const address = `${installable(item).replace(/\/$/, "")}/@${serial}`;
  return item.technology === "R"
    ? `options(repos = ${rString(address)})`
    : `pip install --index-url ${shellWord(`${address}/simple/`)} `;
}

/** What makes a client install from this repository by itself. */
export const clientSettings = (item: RepositoryItem): string => snippets[item.technology](item);
