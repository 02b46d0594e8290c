import { isUsableAddress } from "@packhouse/contract/addresses";
import { longestAddress, longestName } from "@packhouse/contract/limits";
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

interface Editing {
  /** The repository as it is. What stays as it is may break rules that are younger than it. */
  before?: Pick<RepositoryProperties, "name" | "publicationUri" | "serverAddress">;
  /** Something is to change that must not. */
  forbiddenChange?: boolean;
}

/** Every rule that a repository breaks, in the order in which clients expect the codes. */
export function brokenRules(
  technology: Technology,
  repository: RepositoryProperties,
  taken: Taken,
  { before, forbiddenChange = false }: Editing = {},
): ViolationCode[] {
  const { name, publicationUri, serverAddress } = repository;
  const codes: ViolationCode[] = [];
  if (taken.name) codes.push("repository.duplicate.name");
  if (isBlank(publicationUri)) codes.push("empty.publicationuri");
  else if (publicationUri !== before?.publicationUri && !isUsableAddress(publicationUri))
    codes.push(isTooLong(publicationUri) ? "publicationuri.too.long" : "invalid.publicationuri");
  else if (taken.publicationUri) codes.push("repository.duplicate.publicationuri");
  if (forbiddenChange) codes.push("forbidden.update");
  if (isBlank(name)) codes.push("empty.name");
  else if (name !== before?.name && name.length > longestName) codes.push("name.too.long");
  else if (!isUsableName(technology, name)) codes.push("invalid.repository.name");
  if (isBlank(serverAddress)) codes.push("empty.serveraddress");
  else if (serverAddress !== before?.serverAddress && !isUsableAddress(serverAddress))
    codes.push(isTooLong(serverAddress) ? "serveraddress.too.long" : "error.invalid.serveraddress");
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

const isTooLong = (address: string): boolean => address.length > longestAddress;
