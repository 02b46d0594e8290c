import "./time-texts.ts";
import i18next from "i18next";
import { isTextKey } from "../../language/i18n.ts";

const units = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** "5 minutes ago", in the user's language. `Intl.RelativeTimeFormat` takes slow devices a tenth of a second to load. */
export function formatRelative(instant: string, now = Date.now()): string {
  const seconds = (Date.parse(instant) - now) / 1000;
  if (Number.isNaN(seconds)) return "";
  const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= length) ?? (["second", 1] as const);
  const count = Math.trunc(seconds / length);
  const named = `relative.named.${unit}${count}`;
  if (isTextKey(named)) return i18next.t(named);
  const duration = i18next.t(`relative.duration.${unit}`, { count: Math.abs(count) });
  return i18next.t(count < 0 ? "relative.ago" : "relative.in", { duration });
}
