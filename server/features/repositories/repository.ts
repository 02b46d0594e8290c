import { isUsableAddress } from "@packhouse/contract/addresses";
import { longestAddress, longestName } from "@packhouse/contract/limits";
import { type HashMethod, mostReservedNames, reservedName } from "@packhouse/contract/repositories";
import { isCheckName, mostRequiredChecks } from "@packhouse/contract/review/checks";
import type { Technology } from "@packhouse/contract/technology";
import type { ViolationCode } from "@packhouse/contract/violations";
import { formatOf } from "@packhouse/formats/format";

/** The fields of a repository that users set. */
export interface RepositoryProperties {
  name: string;
  publicationUri: string;
  serverAddress: string;
  requiresAuthentication: boolean;
  published: boolean;
  redirectToSource: boolean;
  hashMethod: HashMethod;
  /** Names that no mirror may use; unchanged when left out. */
  reservedNames?: readonly string[] | undefined;
  /** Names of checks; unchanged when left out. */
  requiredChecks?: readonly string[] | undefined;
}

/** Names and addresses of other repositories, deleted ones included. */
export interface Taken {
  name: boolean;
  publicationUri: boolean;
  /** Within the technology. */
  serverAddress: boolean;
}

interface Editing {
  /** The current repository. Unchanged values may break rules that are newer than they are. */
  before?: Pick<RepositoryProperties, "name" | "publicationUri" | "serverAddress">;
  /** A read-only field would change, or the id to one that no repository has. */
  fixed?: "forbidden.update" | "repository.not.found" | undefined;
}

/** Every rule that a repository breaks, in the order in which clients expect the codes. */
export function brokenRules(
  technology: Technology,
  repository: RepositoryProperties,
  taken: Taken,
  { before, fixed }: Editing = {},
): ViolationCode[] {
  const { name, publicationUri, serverAddress } = repository;
  const codes: ViolationCode[] = [];
  if (taken.name) codes.push("repository.duplicate.name");
  if (isBlank(publicationUri)) codes.push("empty.publicationuri");
  else if (publicationUri !== before?.publicationUri && !isUsableAddress(publicationUri))
    codes.push(isTooLong(publicationUri) ? "publicationuri.too.long" : "invalid.publicationuri");
  else if (taken.publicationUri) codes.push("repository.duplicate.publicationuri");
  if (fixed) codes.push(fixed);
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
  const { requiredChecks = [] } = repository;
  if (requiredChecks.length > mostRequiredChecks || !requiredChecks.every(isCheckName))
    codes.push("invalid.check.name");
  return codes;
}

/** The technology's pattern; also refuses names that an address could not hold: only dots, blanks at an end. */
const isUsableName = (technology: Technology, name: string): boolean =>
  formatOf(technology).repositoryName.test(name) && !/^\.{1,2}$/.test(name) && name.trim() === name;

const isBlank = (text: string): boolean => text.trim() === "";

const isTooLong = (address: string): boolean => address.length > longestAddress;
