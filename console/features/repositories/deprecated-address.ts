import { type Technology, technologyPath } from "@packhouse/contract/technology";

/** Server addresses once had no technology in their path; installations that still have some may want a warning. */
export const isDeprecatedAddress = (address: string): boolean =>
  address !== "" && !/\/(r|python)\//.test(`${address}/`);

/**
 * The corrected address: on the configured repository server, with the technology before the last part of the path;
 * otherwise the pattern of addresses there.
 */
export function betterAddress(address: string, technology: Technology, repositoryServer: string): string {
  const server = repositoryServer.replace(/\/?$/, "/");
  if (repositoryServer !== "" && address.startsWith(server))
    return address.replace(/\/([^/]+)\/?$/, `/${technologyPath[technology]}/$1`);
  return `${repositoryServer === "" ? "" : server}${technologyPath[technology]}/{repo}`;
}
