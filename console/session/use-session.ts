import { type Ability, can } from "@packhouse/contract/abilities";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { ownUserQuery, publicConfigurationQuery } from "./session.ts";

/** The signed-in user; screens below the guard always have one. */
export const useOwnUser = () => useSuspenseQuery(ownUserQuery).data;

export function useCan(): (ability: Ability) => boolean {
  const user = useOwnUser();
  return (ability) => can(user.role, ability);
}

export const useServerConfiguration = () => useQuery(publicConfigurationQuery).data;
