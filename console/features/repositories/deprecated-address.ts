import { type Technology, technologyPath } from "@packhouse/contract/technology";

/** Server addresses once had no technology in their path; installations that still have such may want to be warned. */
export const isDeprecatedAddress = (address: string): boolean =>
  address !== "" && !/\/(r|python)\//.test(`${address}/`);

/**
 * The address that would be right: the technology before the last part of the path where it is on the configured
 * repository server, else the pattern that addresses there have.
 */
export function betterAddress(address: string, technology: Technology, repositoryServer: string): string {
  const server = repositoryServer.replace(/\/?$/, "/");
  if (repositoryServer !== "" && address.startsWith(server))
    return address.replace(/\/([^/]+)\/?$/, `/${technologyPath[technology]}/$1`);
  return `${repositoryServer === "" ? "" : server}${technologyPath[technology]}/{repo}`;
}
