import { type HashMethod, mostReservedNames, reservedName } from "@packhouse/contract/repositories";
import type { Technology } from "@packhouse/contract/technology";
import type { ViolationCode } from "@packhouse/contract/violations";
import { formatOf } from "@packhouse/formats/format";

/** What people decide about a repository. */
export interface RepositoryProperties {
  name: string;
  publicationUri: string;
  serverAddress: string;
  requiresAuthentication: boolean;
  published: boolean;
  redirectToSource: boolean;
  hashMethod: HashMethod;
  /** What no mirror may bring; as it was when left out. */
  reservedNames?: readonly string[] | undefined;
}

/** What other repositories have already, deleted ones counted. */
export interface Taken {
  name: boolean;
  publicationUri: boolean;
  /** Within the technology. */
  serverAddress: boolean;
}

/** Every rule that a repository breaks, in the order in which clients expect the codes. */
export function brokenRules(
  technology: Technology,
  repository: RepositoryProperties,
  taken: Taken,
  forbiddenChange = false,
): ViolationCode[] {
  const codes: ViolationCode[] = [];
  if (taken.name) codes.push("repository.duplicate.name");
  if (isBlank(repository.publicationUri)) codes.push("empty.publicationuri");
  else if (taken.publicationUri) codes.push("repository.duplicate.publicationuri");
  if (forbiddenChange) codes.push("forbidden.update");
  if (isBlank(repository.name)) codes.push("empty.name");
  else if (!isUsableName(technology, repository.name)) codes.push("invalid.repository.name");
  if (isBlank(repository.serverAddress)) codes.push("empty.serveraddress");
  else if (!isHttpAddress(repository.serverAddress)) codes.push("error.invalid.serveraddress");
  else if (taken.serverAddress) codes.push("repository.duplicate.serveraddress");
  const { reservedNames = [] } = repository;
  if (reservedNames.length > mostReservedNames || !reservedNames.every((name) => reservedName.safeParse(name).success))
    codes.push("invalid.reserved.name");
  return codes;
}

/** The technology's pattern; beside it names that an address could not hold: dots alone, blanks at an end. */
const isUsableName = (technology: Technology, name: string): boolean =>
  formatOf(technology).repositoryName.test(name) && !/^\.{1,2}$/.test(name) && name.trim() === name;

const isBlank = (text: string): boolean => text.trim() === "";

export function isHttpAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
