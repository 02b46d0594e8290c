import { signInOperations } from "@packhouse/contract/operations";
import { signInAddresses } from "@packhouse/contract/operations/sign-in";

const signIn = new Set(signInOperations.flatMap(signInAddresses));

/** Without the query. */
export const pathOf = (url: string): string => url.split("?", 1)[0] ?? "";

/**
 * Whether the parts of a path are at those of a route: `:name` stands for any one that is not empty, `*` at the end for
 * one or more.
 */
export const isAt = (route: readonly string[], path: readonly string[]): boolean =>
  (route.at(-1) === "*" ? path.length >= route.length : path.length === route.length) &&
  route.every((part, index) => part === "*" || (part.startsWith(":") ? path[index] !== "" : part === path[index]));

export const isSignIn = (url: string): boolean => signIn.has(pathOf(url));
export const isApi = (url: string): boolean => url.startsWith("/api/") && !isSignIn(url);

/** Every API address works with and without a trailing slash, and below the prefix of the public address. */
export function routedAddress(given: string, prefix: string): string {
  const url = withoutPrefix(given, prefix);
  if (!["/api/", "/login", "/logout"].some((start) => url.startsWith(start))) return url;
  const path = pathOf(url);
  return path.endsWith("/") ? path.slice(0, -1) + url.slice(path.length) : url;
}

export const withoutPrefix = (url: string, prefix: string): string =>
  prefix !== "" && (url === prefix || url.startsWith(`${prefix}/`)) ? url.slice(prefix.length) || "/" : url;
