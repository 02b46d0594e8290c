import { type Technology, technologyPath } from "@packhouse/contract/technology";

/** Server addresses once had no technology in their path; installations that still have some may want a warning. */
export const isDeprecatedAddress = (address: string): boolean =>
  address !== "" && !/\/(r|python)\//.test(`${address}/`);

/** The address with the technology before the last part of its path. */
export const withTechnology = (address: string, technology: Technology): string =>
  address.replace(/\/([^/]+)\/?$/, `/${technologyPath[technology]}/$1`);

/** The corrected address, if it is on the configured repository server; otherwise the pattern of addresses there. */
export function betterAddress(address: string, technology: Technology, repositoryServer: string): string {
  const server = repositoryServer.replace(/\/?$/, "/");
  if (repositoryServer !== "" && address.startsWith(server)) return withTechnology(address, technology);
  return `${repositoryServer === "" ? "" : server}${technologyPath[technology]}/{repo}`;
}
