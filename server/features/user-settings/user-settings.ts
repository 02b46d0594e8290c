import { largestStoredPageSize, supportedLanguages } from "@packhouse/contract/user-settings";
import { type SettingsRef, theme } from "@packhouse/contract/users";
import type { ViolationCode } from "@packhouse/contract/violations";

/** Every rule that settings break, in the order in which clients expect the codes. */
export function brokenRules(settings: SettingsRef): ViolationCode[] {
  const codes: ViolationCode[] = [];
  if (!supportedLanguages.some((language) => language === settings.language)) codes.push("language.not.supported");
  if (!theme.safeParse(settings.theme).success) codes.push("theme.not.supported");
  if (settings.pageSize < 1) codes.push("page.size.lower.than.one.element");
  if (settings.pageSize > largestStoredPageSize) codes.push("page.size.bigger.than.max.limit");
  return codes;
}
