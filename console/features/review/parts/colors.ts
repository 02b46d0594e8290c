import { useComputedColorScheme } from "@mantine/core";
import type { CSSProperties } from "react";
import { codeRoles } from "../../../ui/code-roles.ts";

/** The roles of code as custom properties for the desk. */
export function useCodeColors(): CSSProperties {
  const index = useComputedColorScheme("dark") === "dark" ? 0 : 1;
  return Object.fromEntries(Object.entries(codeRoles).map(([name, pair]) => [`--ph-${name}`, pair[index]]));
}
