import { longestLifetimeDays } from "@packhouse/contract/access-tokens";
import type { PublicConfiguration } from "@packhouse/contract/configuration";
import { readConfiguration } from "@packhouse/contract/operations/configuration";
import { readOwnUser } from "@packhouse/contract/operations/users";
import { type RoleName, roleName } from "@packhouse/contract/roles";
import type { UserItem } from "@packhouse/contract/users";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../api/client.ts";
import { readOwn, storeOwn } from "./own-storage.ts";
import { effectiveRole } from "./role.ts";
import { roleKey, storedToken } from "./stored-session.ts";

/** `role` is the effective role in the console, `roleAtServer` the server's name for it. */
export interface OwnUser extends Omit<UserItem, "role"> {
  role: RoleName;
  roleAtServer: string;
}

/** The signed-in user with settings; loaded again after a reload and after a refusal. */
export const ownUserQuery = queryOptions({
  queryKey: ["users", "me"],
  queryFn: async ({ signal }): Promise<OwnUser> => {
    const person = await call(readOwnUser, {}, { signal });
    return { ...person, role: effectiveRole(person), roleAtServer: person.role };
  },
  meta: { shownWhenUnreadable: true },
  staleTime: Number.POSITIVE_INFINITY,
});

/** Used until the server has responded. */
const assumedConfiguration: PublicConfiguration = {
  declarativeModeEnabled: false,
  deletingPackagesEnabled: true,
  deletingRepositoriesEnabled: true,
  replacingPackagesEnabled: true,
  accessTokenLifetimeConfigurable: true,
  accessTokenLifetimeDefault: 30,
  accessTokenLifetimeMaximum: longestLifetimeDays,
  generateManuals: true,
  repositoryNameValidationRegex: { general: ".+", technology: { python: ".+", r: ".+" } },
  supportedLanguages: [],
  mailEnabled: false,
};

/** A flag that an older server omits keeps its default. */
export const publicConfigurationQuery = queryOptions({
  queryKey: ["config"],
  queryFn: async ({ signal }): Promise<PublicConfiguration> => ({
    ...assumedConfiguration,
    ...withoutMissing(await call(readConfiguration, {}, { signal })),
  }),
  placeholderData: assumedConfiguration,
  staleTime: 60_000,
});

function withoutMissing(
  given: { [Key in keyof PublicConfiguration]?: PublicConfiguration[Key] | undefined },
): Partial<PublicConfiguration> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

export const isSignedIn = (): boolean => storedToken() !== null;

/** How a user's role differs from the last one seen in this session, also before a reload. */
export function roleChange(user: OwnUser): { before: RoleName; after: RoleName } | undefined {
  const before = readOwn(roleKey, user.id, roleName) ?? user.role;
  storeOwn(roleKey, user.id, user.role);
  return before === user.role ? undefined : { before, after: user.role };
}
